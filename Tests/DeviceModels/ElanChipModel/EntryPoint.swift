public import AuthcoreABI
internal import SensorKit

/// The one symbol of this model, which Package.swift gives the name `ac_device_model_entry` (model.h).
@c(ElanChipModel_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_model: UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>!
) -> ac_status_t {
  unsafe export(model: ElanChipModel.self, host: host, ret: ret_model)
}
