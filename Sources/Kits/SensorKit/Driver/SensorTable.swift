internal import AuthcoreABI
internal import Synchronization

/// The C side of a Swift driver: sensor.h's table, filled with functions that lead to
/// ``SensorBox``.
enum SensorTable {
  /// Allocates the table. It is never freed: sensor.h promises the host that it lives as long as
  /// the module, and a module is never unloaded.
  @unsafe static func make(_ description: SensorDescription) -> UnsafePointer<ac_sensor_driver_t> {
    unsafe immortal(
      ac_sensor_driver_t(
        struct_size: UInt32(MemoryLayout<ac_sensor_driver_t>.size), abi_version: sensorABI,
        description: SensorTable.describe(description),
        open: { unsafe SensorTable.open($0, count: $1, ret: $2) },
        capture: { unsafe SensorTable.capture($0, milliseconds: $1, ret: $2) },
        interrupt: { unsafe SensorTable.interrupt($0) },
        close: { unsafe SensorTable.close($0) },
        extension: { name in
          unsafe DeviceInfoTable.find(name)
            ?? (exported.withLock { unsafe $0?.matchesOnChip } == true ? ChipTable.find(name) : nil)
        }))
  }

  private static func open(
    _ options: UnsafePointer<ac_option_t>?, count: UInt32,
    ret: UnsafeMutablePointer<OpaquePointer?>?
  ) -> ac_status_t {
    guard
      let ret = unsafe ret,
      let (host, open) = unsafe exported.withLock({ exported in
        unsafe exported.map { unsafe ($0.host, $0.open) }
      })
    else { return SensorFailure.Code.argument.rawValue }
    do throws(SensorFailure) {
      let sensor = try open(unsafe SensorOptions(options, count: count), host)
      unsafe ret.pointee = OpaquePointer(Unmanaged.passRetained(sensor).toOpaque())
      return ac_status_t(AC_OK)
    } catch {
      host.setError(error.message)
      return error.status
    }
  }

  private static func capture(
    _ sensor: OpaquePointer?, milliseconds: UInt32, ret: UnsafeMutablePointer<ac_frame_t>?
  ) -> ac_status_t {
    guard let sensor = unsafe sensor, let ret = unsafe ret else {
      return SensorFailure.Code.argument.rawValue
    }
    do throws(SensorFailure) {
      return try unsafe openSensor(sensor).capture(timeout: .milliseconds(milliseconds), into: ret)
    } catch {
      unsafe exported.withLock { unsafe $0?.host }?.setError(error.message)
      return error.status
    }
  }

  private static func interrupt(_ sensor: OpaquePointer?) {
    guard let sensor = unsafe sensor else { return }
    unsafe openSensor(sensor).interruption.request()
  }

  private static func close(_ sensor: OpaquePointer?) {
    guard let sensor = unsafe sensor else { return }
    unsafe Unmanaged<SensorBox>.fromOpaque(UnsafeRawPointer(sensor)).release()
  }

  /// The sensor behind an `ac_sensor_t *` of this module.
  static func openSensor(_ sensor: OpaquePointer) -> SensorBox {
    unsafe Unmanaged<SensorBox>.fromOpaque(UnsafeRawPointer(sensor)).takeUnretainedValue()
  }
}
