internal import AuthcoreABI

/// A simulated device of the model that the host loaded beside the transport. It is trusted as
/// little as a real device: counts beyond the length are cut.
@safe final class HostedDevice: SimulatedUSBDevice {
  private let model: UnsafePointer<ac_device_model_t>
  private let device: OpaquePointer
  let info: USBDeviceInfo

  init(_ model: UnsafePointer<ac_device_model_t>, settings: String) throws(SensorFailure) {
    guard unsafe Int(model.pointee.struct_size) >= MemoryLayout<ac_device_model_t>.size else {
      throw SensorFailure(.versionMismatch, "The device model is older than this transport needs")
    }
    var made: OpaquePointer?
    let status = unsafe settings.withCString { unsafe model.pointee.plug($0, &made) }
    guard status == ac_status_t(AC_OK), let device = unsafe made else {
      // The model itself has told the host why.
      throw SensorFailure(SensorFailure.Code(rawValue: status) ?? .option, "")
    }
    unsafe self.model = unsafe model
    unsafe self.device = unsafe device
    func check(_ status: ac_status_t) throws(SensorFailure) {
      guard status == ac_status_t(AC_OK) else {
        throw SensorFailure(.protocolViolation, "The device model does not describe its device")
      }
    }
    do throws(SensorFailure) {
      info = try unsafe USBDeviceInfo(
        device: { info throws(SensorFailure) in
          try check(unsafe model.pointee.device_info(device, info))
        },
        interface: { index, info throws(SensorFailure) in
          try check(unsafe model.pointee.interface_info(device, index, info))
        })
    } catch {
      unsafe model.pointee.unplug(device)
      throw error
    }
  }

  deinit { unsafe model.pointee.unplug(device) }

  func control(_ setup: USBSetup, _ data: [UInt8], at now: Duration) -> ControlAnswer {
    var bytes = setup.isRead ? [UInt8](repeating: 0, count: Int(setup.length)) : data
    var count: UInt32 = 0
    let status = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      unsafe model.pointee.control(
        device, now.wholeNanoseconds, setup.type, setup.request, setup.value, setup.index,
        bytes.baseAddress, setup.length, &count)
    }
    guard status == ac_status_t(AC_OK) else { return .stall }
    return setup.isRead ? .bytes(Array(bytes.prefix(Int(count)))) : .done
  }

  func write(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe model.pointee.write(
        device, now.wholeNanoseconds, endpoint, bytes.baseAddress, UInt32(bytes.count))
    } == ac_status_t(AC_OK)
  }

  func read(from endpoint: UInt8, length: Int, at now: Duration) -> ReadAnswer? {
    var bytes = [UInt8](repeating: 0, count: length)
    var count: UInt32 = 0
    let status = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      unsafe model.pointee.read(
        device, now.wholeNanoseconds, endpoint, bytes.baseAddress, UInt32(length), &count)
    }
    switch Int(status) {
    case AC_OK: return .bytes(Array(bytes.prefix(Int(count))))
    case AC_ERR_TIMEOUT: return nil
    default: return .stall
    }
  }
}

extension Duration {
  /// Nanoseconds, or 0 if negative.
  var wholeNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0 else { return 0 }
    return UInt64(seconds) &* 1_000_000_000 &+ UInt64(max(0, attoseconds / 1_000_000_000))
  }
}

extension SensorContext {
  /// Plugs in a device of the model that the host loaded beside a transport.
  /// - Parameter settings: `name=value,…`, in the model's words.
  /// - Returns: the device, or nil if no model was loaded.
  /// - Throws: ``SensorFailure/Code/option`` for settings that the model does not know.
  public func simulatedDevice(settings: String) throws(SensorFailure)
    -> (any SimulatedUSBDevice)?
  {
    guard
      let model = unsafe host.service(AC_DEVICE_MODEL_SERVICE, as: ac_device_model_t.self)
    else { return nil }
    return try unsafe HostedDevice(model, settings: settings)
  }
}
