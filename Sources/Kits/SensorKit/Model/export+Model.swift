public import AuthcoreABI
internal import Synchronization

/// Makes the C table of `model` and gives it to the host: the whole body of
/// `ac_device_model_entry`.
///
/// A module exports one model. [owner]
///
/// - Returns: `AC_OK`; `AC_ERR_ABI` when the host is of another major version; `AC_ERR_STATE` when
///   this module already exported another model; `AC_ERR_ARGUMENT` on a null pointer.
@unsafe public func export<Model: DeviceModel>(
  model: Model.Type, host: UnsafePointer<ac_host_t>?,
  ret: UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>?
) -> ac_status_t {
  guard let host = unsafe host, let ret = unsafe ret else {
    return SensorFailure.Code.argument.rawValue
  }
  guard
    unsafe host.pointee.abi_version >> 16 == modelABI >> 16,
    let services = unsafe DriverServices(host)
  else { return SensorFailure.Code.versionMismatch.rawValue }
  let identity = ObjectIdentifier(model)
  let table: UnsafePointer<ac_device_model_t>? = unsafe exportedModel.withLock { exported in
    if let exported = unsafe exported {
      return unsafe exported.identity == identity ? exported.table : nil
    }
    let made = unsafe ExportedModel(
      identity: identity, table: ModelTable.make(name: Model.name), host: services,
      plug: { (text) throws(SensorFailure) in
        try Model(settings: ModelSettings(text, names: Model.settingNames))
      })
    unsafe exported = unsafe made
    return unsafe made.table
  }
  guard let table = unsafe table else { return SensorFailure.Code.state.rawValue }
  unsafe ret.pointee = unsafe table
  return ac_status_t(AC_OK)
}

/// `AC_MODEL_ABI`, a macro that Swift does not import.
let modelABI: UInt32 = 1 << 16

/// The model of this module. The C plug function has no argument that could carry it, hence a
/// global; written once, in the entry call.
@safe let exportedModel = unsafe Mutex<ExportedModel?>(nil)

/// A model as the C table needs it.
@unsafe struct ExportedModel {
  let identity: ObjectIdentifier
  let table: UnsafePointer<ac_device_model_t>
  let host: DriverServices
  let plug: @Sendable (String) throws(SensorFailure) -> any DeviceModel
}
