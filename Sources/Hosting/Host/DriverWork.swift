import LinuxSystem
import PluginHosting
import Protocol

/// What a driver's owner thread has to do and is doing; shared between it and the mailbox thread,
/// under a monitor.
struct DriverWork: Sendable {
  /// One thing to do.
  enum Order: Sendable {
    case open(OpenSensorRequest, DescriptorList)
    case capture(CaptureTouch)
    case close
    case finish
  }

  /// A call into the driver that has begun.
  struct Call: Sendable {
    let function: String
    /// Nanoseconds of CLOCK_MONOTONIC at which the host gives up on it.
    var deadline: UInt64
  }

  /// In the order they came.
  var orders: [Order] = []
  var call: Call?
  var sensor: OpenedSensor?
  /// Its part that compares prints; nil for a sensor that delivers images.
  var chip: OpenedChip?
  /// The capture that is queued or under way.
  var session: UInt64?
  /// Whether that capture was told to stop.
  var isStopped = false
  /// Whether the owner thread has ended.
  var isFinished = false

  /// Whether something has been asked for and not been done.
  var isBusy: Bool { call != nil || !orders.isEmpty }
}
