public import AuthcoreABI
internal import Synchronization

/// Makes the C table of `driver` and gives it to the host: the whole body of `ac_sensor_entry`.
///
/// A module exports one driver. [owner]
///
/// - Returns: `AC_OK`; `AC_ERR_ABI` when the host is of another major version; `AC_ERR_STATE` when
///   this module already exported another driver; `AC_ERR_ARGUMENT` on a null pointer.
@unsafe public func export<Driver: SensorDriver & ~Copyable>(
  _ driver: Driver.Type, host: UnsafePointer<ac_host_t>?,
  ret: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>?
) -> ac_status_t {
  unsafe export(driver, host: host, ret: ret) { (options, host) throws(SensorFailure) in
    try OpenSensorOf<Driver>(options: options, host: host)
  }
}

/// Does the same for a driver of a sensor that matches on the chip. [owner]
@unsafe public func export<Driver: ChipSensorDriver & ~Copyable>(
  chip driver: Driver.Type, host: UnsafePointer<ac_host_t>?,
  ret: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>?
) -> ac_status_t {
  unsafe export(driver, host: host, ret: ret) { (options, host) throws(SensorFailure) in
    try OpenChipOf<Driver>(options: options, host: host)
  }
}

private typealias OpenDriver =
  @Sendable (borrowing SensorOptions, DriverServices) throws(SensorFailure) -> SensorBox

private func export<Driver: SensorDriver & ~Copyable>(
  _ driver: Driver.Type, host: UnsafePointer<ac_host_t>?,
  ret: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>?, open: @escaping OpenDriver
) -> ac_status_t {
  guard let host = unsafe host, let ret = unsafe ret else {
    return SensorFailure.Code.argument.rawValue
  }
  guard unsafe host.pointee.abi_version >> 16 == sensorABI >> 16,
    let services = unsafe DriverServices(host)
  else { return SensorFailure.Code.versionMismatch.rawValue }
  let identity = ObjectIdentifier(driver)
  let table: UnsafePointer<ac_sensor_driver_t>? = unsafe exported.withLock { exported in
    if let exported = unsafe exported {
      return unsafe exported.identity == identity ? exported.table : nil
    }
    let facts = Driver.description
    let made = unsafe ExportedDriver(
      identity: identity, table: SensorTable.make(facts), host: services, open: open,
      matchesOnChip: facts.traits.contains(.matchesOnChip))
    unsafe exported = unsafe made
    return unsafe made.table
  }
  guard let table = unsafe table else { return SensorFailure.Code.state.rawValue }
  unsafe ret.pointee = unsafe table
  return ac_status_t(AC_OK)
}

/// `AC_SENSOR_ABI`, a macro that Swift does not import.
let sensorABI = UInt32(AC_SENSOR_ABI_MAJOR) << 16 | UInt32(AC_SENSOR_ABI_MINOR)

/// The driver of this module. The C open function has no argument that could carry it, hence a
/// global; written once, in the entry call.
@safe let exported = unsafe Mutex<ExportedDriver?>(nil)

/// A driver as the C table needs it.
@unsafe struct ExportedDriver {
  let identity: ObjectIdentifier
  let table: UnsafePointer<ac_sensor_driver_t>
  let host: DriverServices
  let open: @Sendable (borrowing SensorOptions, DriverServices) throws(SensorFailure) -> SensorBox
  let matchesOnChip: Bool
}
