import AuthcoreABI
import LinuxSystem
package import Protocol

/// A driver in this process: loaded, entered, checked. Only hosts load drivers.
@safe
package struct LoadedDriver: @unchecked Sendable {
  // Sendable: the table is constant; open, capture and close are called by the owner thread only,
  // interrupt by any (sensor.h).

  package let description: DriverDescription
  package let path: String
  private let table: UnsafePointer<ac_sensor_driver_t>
  private let services: HostServices

  /// Calls the entry and checks its table.
  /// - Throws: `driverFailed` naming the file and what does not fit.
  package init(entering plugin: consuming MappedPlugin, services: HostServices) throws(Failure) {
    let table = unsafe try plugin.enter(AC_SENSOR_ENTRY_SYMBOL, services: services)
      .assumingMemoryBound(to: ac_sensor_driver_t.self)
    path = plugin.path
    unsafe try PluginABI.check(
      structSize: table.pointee.struct_size, atLeast: MemoryLayout<ac_sensor_driver_t>.size,
      "ac_sensor_driver_t", of: path, code: .driverFailed)
    unsafe try PluginABI.check(
      table.pointee.abi_version, against: PluginABI.sensor, of: path, code: .driverFailed)
    let functions = unsafe [
      ("open", table.pointee.open == nil), ("capture", table.pointee.capture == nil),
      ("interrupt", table.pointee.interrupt == nil), ("close", table.pointee.close == nil),
    ]
    try PluginABI.check(functions, of: path, code: .driverFailed)
    guard let source = unsafe table.pointee.description else {
      throw Failure(.driverFailed, "Cannot use \(path): it has no description")
    }
    description = unsafe try DriverDescription(
      copying: source, abiVersion: table.pointee.abi_version, path: path)
    unsafe self.table = table
    self.services = services
  }

  /// Opens the device. Owner thread.
  /// - Parameters:
  ///   - options: checked against the description.
  ///   - descriptors: of the file options, in order; they stay the caller's and open until the
  ///     sensor is closed.
  /// - Returns: the open device, for the caller to close; nil if a finger has to be lifted first
  ///   (`AC_RETRY_LIFT`).
  /// - Throws: `usage` for an option's value, `busy`, else `driverFailed`, with the driver's
  ///   message.
  package func open(
    _ options: [SensorOption], descriptors: [Int32]
  ) throws(Failure) -> OpenedSensor? {
    var files = descriptors[...]
    var memory: [UnsafeMutablePointer<CChar>] = unsafe []
    defer { unsafe memory.forEach { unsafe $0.deallocate() } }
    var list: [ac_option_t] = unsafe []
    for option in options {
      let name = unsafe Self.copy(option.name)
      let value = unsafe Self.copy(option.value)
      unsafe memory += [name, value]
      unsafe list.append(
        ac_option_t(
          name: name, value: value,
          file_descriptor: option.kind == .file ? files.popFirst() ?? -1 : -1,
          number: option.number))
    }
    _ = services.takeError()
    var sensor: OpaquePointer?
    let status = unsafe table.pointee.open(list, UInt32(list.count), &sensor)
    guard status != AC_RETRY_LIFT else { return nil }
    guard status == AC_OK else { throw failureOfOpen(status) }
    guard let sensor = unsafe sensor else {
      throw Failure(.driverFailed, "The driver \(path) opened no sensor and said nothing")
    }
    return unsafe OpenedSensor(sensor: sensor, table: table, services: services)
  }

  /// A copy as a C string, for the caller to deallocate.
  private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
    let bytes = text.utf8CString
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (index, byte) in bytes.enumerated() { unsafe memory[index] = byte }
    return unsafe memory
  }

  private func failureOfOpen(_ status: ac_status_t) -> Failure {
    let code: FailureCode =
      switch status {
      case ac_status_t(AC_ERR_OPTION): .usage
      case ac_status_t(AC_ERR_BUSY): .busy
      default: .driverFailed
      }
    let message =
      services.takeError()
      ?? "The driver \(description.name) cannot open its device: \(SensorStatus.text(status))"
    return Failure(
      code, message,
      hint: "run `authcore driver info \(description.name)` for its options; the driver is \(path)")
  }
}

extension MappedPlugin {
  /// Calls the entry of a device model, checks its table, and offers it to the simulated transport
  /// until the process ends.
  /// - Throws: `driverFailed` naming the file and what does not fit.
  package consuming func offerModel(services: HostServices) throws(Failure) {
    let table = unsafe try enter(AC_MODEL_ENTRY_SYMBOL, services: services)
      .assumingMemoryBound(to: ac_device_model_t.self)
    unsafe try PluginABI.check(
      structSize: table.pointee.struct_size, atLeast: MemoryLayout<ac_device_model_t>.size,
      "ac_device_model_t", of: path, code: .driverFailed)
    unsafe try PluginABI.check(
      table.pointee.abi_version, against: PluginABI.model, of: path, code: .driverFailed)
    unsafe services.offer(AC_DEVICE_MODEL_SERVICE, UnsafeRawPointer(table))
  }
}
