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
  unsafe exportedModel.export(
    ObjectIdentifier(model), version: modelABI, host: host, ret: ret,
    maker: ModelMaker { (text) throws(SensorFailure) in
      try Model(settings: ModelSettings(text, names: Model.settingNames))
    }, makeTable: { unsafe ModelTable.make(name: Model.name) })
}

/// `AC_MODEL_ABI`, a macro that Swift does not import.
let modelABI: UInt32 = 1 << 16

/// The model of this module.
@safe let exportedModel = unsafe Mutex<Exported<ac_device_model_t, ModelMaker>?>(nil)

struct ModelMaker: Sendable {
  let plug: @Sendable (String) throws(SensorFailure) -> any DeviceModel
}

/// The C side of a Swift model: the table of model.h, whose functions lead to a ``PluggedModel``.
enum ModelTable {
  /// Makes the table, which is never freed.
  @unsafe static func make(name: String) -> UnsafePointer<ac_device_model_t> {
    unsafe immortal(
      ac_device_model_t(
        struct_size: UInt32(MemoryLayout<ac_device_model_t>.size), abi_version: modelABI,
        name: immortal(name),
        plug: { unsafe ModelTable.plug($0, ret: $1) },
        unplug: { device in
          guard let device = unsafe device else { return }
          unsafe Unmanaged<PluggedModel>.fromOpaque(UnsafeRawPointer(device)).release()
        },
        device_info: { device, ret in
          guard let device = unsafe PluggedModel.at(device), let ret = unsafe ret else {
            return ac_status_t(AC_ERR_ARGUMENT)
          }
          unsafe device.model.info.fill(ret)
          return ac_status_t(AC_OK)
        },
        interface_info: { device, index, ret in
          guard let device = unsafe PluggedModel.at(device), let ret = unsafe ret else {
            return ac_status_t(AC_ERR_ARGUMENT)
          }
          let interfaces = device.model.info.interfaces
          guard Int(index) < interfaces.count else { return ac_status_t(AC_ERR_NOT_FOUND) }
          unsafe interfaces[Int(index)].fill(ret)
          return ac_status_t(AC_OK)
        },
        control: {
          unsafe ModelTable.control($0, $1, $2, $3, $4, $5, $6, $7, $8)
        },
        write: { device, now, endpoint, data, length in
          guard let device = unsafe PluggedModel.at(device), unsafe data != nil || length == 0
          else { return ac_status_t(AC_ERR_ARGUMENT) }
          let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: Int(length)))
          let isTaken = device.model.write(
            bytes, to: endpoint, at: .nanoseconds(Int64(clamping: now)))
          return ac_status_t(isTaken ? AC_OK : AC_ERR_STALL)
        },
        read: { unsafe ModelTable.read($0, $1, $2, $3, $4, $5) }))
  }

  private static func plug(
    _ settings: UnsafePointer<CChar>?, ret: UnsafeMutablePointer<OpaquePointer?>?
  ) -> ac_status_t {
    guard
      let ret = unsafe ret,
      let (host, maker) = unsafe exportedModel.withLock({ exported in
        unsafe exported.map { unsafe ($0.host, $0.maker) }
      })
    else { return SensorFailure.Code.argument.rawValue }
    return host.report { () throws(SensorFailure) in
      let text = unsafe settings.map { unsafe String(cString: $0) } ?? ""
      let device = PluggedModel(try maker.plug(text))
      unsafe ret.pointee = unsafe OpaquePointer(Unmanaged.passRetained(device).toOpaque())
      return ac_status_t(AC_OK)
    }
  }

  private static func control(
    _ device: OpaquePointer?, _ now: UInt64, _ type: UInt8, _ request: UInt8, _ value: UInt16,
    _ index: UInt16, _ data: UnsafeMutablePointer<UInt8>?, _ length: UInt16,
    _ ret: UnsafeMutablePointer<UInt32>?
  ) -> ac_status_t {
    guard let device = unsafe PluggedModel.at(device), let ret = unsafe ret,
      unsafe data != nil || length == 0
    else { return ac_status_t(AC_ERR_ARGUMENT) }
    let setup = USBSetup(type: type, request: request, value: value, index: index, length: length)
    let written =
      unsafe setup.isRead ? [] : Array(UnsafeBufferPointer(start: data, count: Int(length)))
    switch device.model.control(setup, written, at: .nanoseconds(Int64(clamping: now))) {
    case .done:
      unsafe ret.pointee = setup.isRead ? 0 : UInt32(length)
    case .bytes(let bytes):
      unsafe ret.pointee = give(bytes, to: data, length: Int(length))
    case .stall: return ac_status_t(AC_ERR_STALL)
    }
    return ac_status_t(AC_OK)
  }

  private static func read(
    _ device: OpaquePointer?, _ now: UInt64, _ endpoint: UInt8,
    _ data: UnsafeMutablePointer<UInt8>?, _ length: UInt32, _ ret: UnsafeMutablePointer<UInt32>?
  ) -> ac_status_t {
    guard let device = unsafe PluggedModel.at(device), let ret = unsafe ret,
      unsafe data != nil || length == 0
    else { return ac_status_t(AC_ERR_ARGUMENT) }
    switch device.model.read(
      from: endpoint, length: Int(length), at: .nanoseconds(Int64(clamping: now)))
    {
    case nil: return ac_status_t(AC_ERR_TIMEOUT)
    case .stall: return ac_status_t(AC_ERR_STALL)
    case .bytes(let bytes):
      unsafe ret.pointee = give(bytes, to: data, length: Int(length))
      return ac_status_t(AC_OK)
    }
  }

  /// Copies what fits, and returns how many bytes that is.
  @unsafe private static func give(
    _ bytes: [UInt8], to data: UnsafeMutablePointer<UInt8>?, length: Int
  ) -> UInt32 {
    let count = min(bytes.count, length)
    if let data = unsafe data, count > 0 {
      for index in 0..<count { unsafe data[index] = bytes[index] }
    }
    return UInt32(count)
  }
}

/// What an `ac_simulated_device_t *` of a Swift model points to.
final class PluggedModel {
  var model: any DeviceModel

  init(_ model: any DeviceModel) { self.model = model }

  /// The device behind a pointer that ``ModelTable`` made; nil for NULL.
  @unsafe static func at(_ pointer: OpaquePointer?) -> PluggedModel? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe Unmanaged<PluggedModel>.fromOpaque(UnsafeRawPointer(pointer))
      .takeUnretainedValue()
  }
}
