public import AuthcoreABI
internal import SensorKit

/// The one symbol of this driver, which Package.swift gives the name `ac_sensor_entry` (sensor.h).
@c(ElanChipDriver_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
) -> ac_status_t {
  unsafe export(chip: ElanChipSensor.self, host: host, ret: ret_driver)
}
