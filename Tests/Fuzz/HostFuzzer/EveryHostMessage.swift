// Made by scripts/make-protocol from Sources/Protocol/Schema.
import Protocol
import TestSupport

/// Every message that a core and its hosts send each other.
enum EveryHostMessage {
  /// Visits one kind after the other.
  static func visit(with visitor: inout some MessageVisitor) {
    visitor.visit(DeviceChange.self)
    visitor.visit(HostReady.self)
    visitor.visit(HostStage.self)
    visitor.visit(HostLog.self)
    visitor.visit(HostEnding.self)
    visitor.visit(HostTrapped.self)
    visitor.visit(LiftAwaited.self)
    visitor.visit(OpenSensorRequest.self)
    visitor.visit(SensorOpened.self)
    visitor.visit(ChipOrder.self)
    visitor.visit(CaptureTouch.self)
    visitor.visit(StopCapture.self)
    visitor.visit(CloseSensor.self)
    visitor.visit(SensorClosed.self)
    visitor.visit(SensorDescribed.self)
    visitor.visit(EngineCall.self)
    visitor.visit(EngineReply.self)
    visitor.visit(EngineEvent.self)
    visitor.visit(AttachSensor.self)
    visitor.visit(DetachSensor.self)
  }
}
