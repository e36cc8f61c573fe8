import AuthcoreABI
import FrameAssembly
package import Protocol

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
  /// - Returns: nil if the driver does not say.
  /// - Throws: `driverFailed` naming an impossible value.
  package func identity(path: String) throws(Failure) -> SensorIdentity? {
    guard let extensions = unsafe table.pointee.extension,
      let found = unsafe extensions(AC_DEVICE_INFO_EXTENSION)
    else { return nil }
    // The name with its revision determines the type (sensor.h).
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

  /// The result of one capture.
  package struct Outcome: ~Copyable, Sendable {
    /// The message for the frame socket: a frame, a retry or an end.
    package let message: SecretBytes
    package let status: Int32
    /// The rule about memory that the driver broke, as the end of a sentence about it. Nothing in
    /// this process can be relied on then.
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

  /// Makes the current capture, or the next one, return. Any thread.
  package func interrupt() { unsafe table.pointee.interrupt(sensor) }

  /// Closes the device. Owner thread; nothing may be called afterwards.
  package func close() { unsafe table.pointee.close(sensor) }
}

extension SensorIdentity {
  /// Copies what a driver filled in.
  /// - Throws: `driverFailed` naming an impossible value.
  init(copying info: ac_device_info_t, path: String) throws(Failure) {
    guard let scanType = DriverDescription.ScanType(rawValue: info.scan_type) else {
      throw Self.objection(path, "scan_type is \(info.scan_type)")
    }
    let (width, height, ppi) = (info.width_px, info.height_px, info.ppi)
    if let reason = DriverDescription.objection(toFrames: width, height, pixelsPerInch: ppi) {
      throw Self.objection(path, reason)
    }
    self.init(
      scanType: scanType, width: width, height: height, pixelsPerInch: ppi,
      serial: unsafe withUnsafeBytes(of: info.serial) { unsafe Self.text($0) },
      firmware: unsafe withUnsafeBytes(of: info.firmware) { unsafe Self.text($0) })
  }

  private static func objection(_ path: String, _ reason: String) -> Failure {
    Failure(
      .driverFailed, "The driver \(path) says of its device what cannot be: \(reason)",
      hint: "the driver's author can find the rules in include/authcore/sensor.h")
  }

  /// The text up to the NUL or the end of the field, without control characters.
  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    let clean = unsafe bytes.prefix { $0 != 0 }.map {
      $0 < 0x20 || $0 == 0x7f ? UInt8(ascii: " ") : $0
    }
    return String(decoding: clean, as: UTF8.self)
  }
}

/// An `ac_frame` for a driver to fill in, with a guard margin behind it.
@safe struct GuardedFrame: ~Copyable {
  /// What `struct_size` may be when the driver returns. A driver may have written the size of the
  /// version it was built for, and then set nothing behind it. 1.0 ends with `pixel_count`.
  static let possibleSizes: ClosedRange<Int> = {
    let first = unsafe MemoryLayout<ac_frame_t>.offset(of: \.extents) ?? 0
    return first...(unsafe MemoryLayout<ac_frame_t>.size)
  }()

  let frame: UnsafeMutablePointer<ac_frame_t>
  private let memory: UnsafeMutableRawPointer

  private static let margin = 256
  private static let mark: UInt8 = 0xA5

  init() {
    let size = unsafe MemoryLayout<ac_frame_t>.size
    unsafe memory = .allocate(
      byteCount: size + Self.margin, alignment: MemoryLayout<ac_frame_t>.alignment)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: Self.mark, count: size + Self.margin)
    unsafe frame = memory.bindMemory(to: ac_frame_t.self, capacity: 1)
    unsafe frame.initialize(to: ac_frame_t())
    unsafe frame.pointee.struct_size = UInt32(size)
  }

  var isIntact: Bool {
    let size = unsafe MemoryLayout<ac_frame_t>.size
    for offset in size..<size + Self.margin {
      guard unsafe memory.load(fromByteOffset: offset, as: UInt8.self) == Self.mark else {
        return false
      }
    }
    return true
  }

  deinit { unsafe memory.deallocate() }
}
