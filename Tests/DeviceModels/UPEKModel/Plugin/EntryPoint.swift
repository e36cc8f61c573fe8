public import AuthcoreABI
internal import SensorKit
internal import UPEKModel

/// The one symbol of this model; see `model.h`.
@c @implementation
public func ac_device_model_entry(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_model: UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>!
) -> ac_status_t {
  unsafe export(model: UPEKModel.self, host: host, ret: ret_model)
}
