public import AuthcoreABI
internal import NB1010Driver
internal import SensorKit

/// The one symbol of this driver; see `sensor.h`. Every driver in Swift has this file, with its own
/// type in the last line.
@c @implementation
public func ac_sensor_entry(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
) -> ac_status_t {
  unsafe export(NB1010Sensor.self, host: host, ret: ret_driver)
}
