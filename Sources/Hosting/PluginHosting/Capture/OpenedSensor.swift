import AuthcoreABI
import FrameAssembly
package import Protocol

/// A device that a driver has opened.
@safe
package struct OpenedSensor: @unchecked Sendable {
  // Sendable: the driver allows interrupt from any thread; the host calls the rest on the owner
  // thread only (sensor.h).
  private let sensor: OpaquePointer
  private let table: UnsafePointer<ac_sensor_driver_t>
  private let services: HostServices

  @unsafe init(
    sensor: OpaquePointer, table: UnsafePointer<ac_sensor_driver_t>, services: HostServices
  ) {
    unsafe self.sensor = sensor
    unsafe self.table = table
    self.services = services
  }

  /// What the driver found the device to be. Owner thread, after open.
  /// - Parameter path: of the driver's file, for the message.
  /// - Returns: nil where the driver does not say.
  /// - Throws: `driverFailed` naming a value that is not possible.
  package func identity(path: String) throws(Failure) -> SensorIdentity? {
    guard let extensions = unsafe table.pointee.extension,
      let found = unsafe extensions(AC_DEVICE_INFO_EXTENSION)
    else { return nil }
    // The name and its revision say what the pointer is (sensor.h).
    let asked = unsafe found.assumingMemoryBound(to: ac_device_info_extension_t.self)
    unsafe try PluginABI.check(
      structSize: asked.pointee.struct_size,
      atLeast: MemoryLayout<ac_device_info_extension_t>.size, "ac_device_info_extension_t",
      of: path, code: .driverFailed)
    guard let get = unsafe asked.pointee.get else { return nil }
    var info = ac_device_info_t()
    info.struct_size = UInt32(MemoryLayout<ac_device_info_t>.size)
    guard unsafe get(sensor, &info) == AC_OK else { return nil }
    return try SensorIdentity(copying: info, path: path)
  }

  /// What it can do if it compares prints itself. Owner thread, after open.
  /// - Parameter path: of the driver's file, for messages.
  /// - Returns: nil for a sensor that delivers images.
  /// - Throws: `driverFailed`.
  package func chip(path: String) throws(Failure) -> OpenedChip? {
    let flags = unsafe table.pointee.description?.pointee.flags ?? 0
    guard flags & UInt32(AC_SENSOR_MATCHES_ON_CHIP) != 0 else { return nil }
    let found = unsafe table.pointee.extension?(AC_MATCH_ON_CHIP_EXTENSION)
    return unsafe try OpenedChip(found ?? nil, sensor, services, path: path)
  }

  /// What one capture gave: the message for the frame socket, and the status it came from.
  package struct Outcome: ~Copyable, Sendable {
    /// A frame, a retry or an end.
    package let message: SecretBytes
    /// What the driver returned.
    package let status: Int32
    /// The rule about memory that the driver broke, as the end of a sentence about it; then nothing
    /// of this process can be relied on.
    package let breach: String?
  }

  /// Waits for one touch. Owner thread.
  package func capture(session: UInt64, timeoutMilliseconds: UInt32) -> Outcome {
    _ = services.takeError()
    let memory = GuardedFrame()
    let status = unsafe table.pointee.capture(sensor, timeoutMilliseconds, memory.frame)
    let message =
      switch status {
      case 0: unsafe Self.message(of: memory.frame.pointee, session: session)
      case 1...99: SensorRetry(session: session, reason: status).encoded()
      case 100...: end(session, status)
      default: Self.refusal(session, "capture returned \(status), which is no status")
      }
    return Outcome(
      message: message, status: status,
      breach: memory.isIntact ? nil : "wrote beyond the ac_frame it was given")
  }

  private func end(_ session: UInt64, _ status: Int32) -> SecretBytes {
    let message = services.takeError() ?? SensorStatus.text(status)
    return SensorEnd.encoded(session: session, status: status, saying: message)
  }

  private static func refusal(_ session: UInt64, _ reason: String) -> SecretBytes {
    SensorEnd.encoded(
      session: session, status: SensorStatus.protocolViolation,
      saying: "The driver delivered no proper frame: \(reason)")
  }

  private static func message(of frame: ac_frame_t, session: UInt64) -> SecretBytes {
    let structSize = unsafe Int(frame.struct_size)
    guard GuardedFrame.possibleSizes ~= structSize else {
      return refusal(session, "its ac_frame_t says it is \(structSize) bytes long")
    }
    guard let pixels = unsafe frame.pixels else { return refusal(session, "it has no pixels") }
    do throws(FrameFault) {
      var shape = try unsafe FrameShape(
        width: Int(frame.width_px), height: Int(frame.height_px), pixelsPerInch: Int(frame.ppi),
        layout: FrameLayout(rawValue: frame.flags), pixelCount: frame.pixel_count)
      if structSize == GuardedFrame.possibleSizes.upperBound,
        unsafe frame.extents != nil || frame.extent_count > 0
      {
        guard let extents = unsafe frame.extents else {
          return refusal(session, "its row extents are NULL")
        }
        shape = try unsafe shape.showing(frame.extent_count) {
          unsafe (Int(extents[$0].first), Int(extents[$0].end))
        }
      }
      // The driver keeps pixels and extents valid until its next call (sensor.h).
      let span = unsafe Span(_unsafeStart: pixels, count: frame.pixel_count)
      return message(of: shape, span, session: session)
    } catch {
      return refusal(session, error.description)
    }
  }

  /// The frame turned upright, ridges dark.
  private static func message(
    of shape: FrameShape, _ pixels: Span<UInt8>, session: UInt64
  ) -> SecretBytes {
    SensorFrame(
      session: session, width: UInt32(shape.width), height: UInt32(shape.height),
      pixelsPerInch: UInt32(shape.pixelsPerInch), extents: shape.uprightExtents, pixels: []
    ).encoded(pixelCount: pixels.count) { target in
      shape.layout.turn(pixels, width: shape.width, into: &target)
    }
  }

  /// Makes the capture that is under way, or the next one, return. Any thread.
  package func interrupt() { unsafe table.pointee.interrupt(sensor) }

  /// Lets go of the device. Owner thread; nothing may be called afterwards.
  package func close() { unsafe table.pointee.close(sensor) }
}
