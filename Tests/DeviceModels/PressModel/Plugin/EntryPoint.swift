public import AuthcoreABI
internal import PressModel
internal import SensorKit

/// The one symbol of this model; see `model.h`.
@c @implementation
public func ac_device_model_entry(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_model: UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>!
) -> ac_status_t {
  unsafe export(model: PressSensorModel.self, host: host, ret: ret_model)
}
