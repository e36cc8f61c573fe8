public import AuthcoreABI
internal import SensorKit
internal import UPEKDriver

/// The one symbol of this driver; see `sensor.h`.
@c @implementation
public func ac_sensor_entry(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
) -> ac_status_t {
  unsafe export(UPEKSensor.self, host: host, ret: ret_driver)
}
