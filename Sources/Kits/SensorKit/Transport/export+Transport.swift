public import AuthcoreABI
internal import Synchronization

/// Makes the C table of `transport` and gives it to the host: the whole body of
/// `ac_transport_entry`.
///
/// A module exports one transport. [owner]
///
/// - Returns: `AC_OK`; `AC_ERR_ABI` when the host is of another major version; `AC_ERR_STATE` when
///   this module already exported another transport; `AC_ERR_ARGUMENT` on a null pointer.
@unsafe public func export<Transport: USBTransport>(
  _ transport: Transport.Type, host: UnsafePointer<ac_host_t>?,
  ret: UnsafeMutablePointer<UnsafePointer<ac_transport_t>?>?
) -> ac_status_t {
  unsafe export(transport, watch: nil, host: host, ret: ret)
}

/// The same for a transport that also tells which devices come and go: `watch` starts to watch,
/// once, on the owner's thread.
@unsafe public func export<Transport: USBTransport>(
  _ transport: Transport.Type,
  watch: (@Sendable (SensorContext) throws(SensorFailure) -> any USBWatch)?,
  host: UnsafePointer<ac_host_t>?, ret: UnsafeMutablePointer<UnsafePointer<ac_transport_t>?>?
) -> ac_status_t {
  guard let host = unsafe host, let ret = unsafe ret else {
    return SensorFailure.Code.argument.rawValue
  }
  guard
    unsafe host.pointee.abi_version >> 16 == transportABI >> 16,
    let services = unsafe DriverServices(host)
  else { return SensorFailure.Code.versionMismatch.rawValue }
  let identity = ObjectIdentifier(transport)
  let table: UnsafePointer<ac_transport_t>? = unsafe exportedTransport.withLock { exported in
    if let exported = unsafe exported {
      return unsafe exported.identity == identity ? exported.table : nil
    }
    let made = unsafe ExportedTransport(
      identity: identity,
      table: TransportTable.make(name: Transport.name, watchesDevices: watch != nil),
      host: services,
      open: { (source, context) throws(SensorFailure) in
        try Transport(source: source, context: context)
      }, watch: watch)
    unsafe exported = unsafe made
    return unsafe made.table
  }
  guard let table = unsafe table else { return SensorFailure.Code.state.rawValue }
  unsafe ret.pointee = unsafe table
  return ac_status_t(AC_OK)
}

/// `AC_TRANSPORT_ABI`, a macro that Swift does not import.
let transportABI =
  UInt32(AC_TRANSPORT_ABI_MAJOR) << 16 | UInt32(AC_TRANSPORT_ABI_MINOR)

/// The transport of this module. The C open function has no argument that could carry it, hence a
/// global; written once, in the entry call.
@safe let exportedTransport = unsafe Mutex<ExportedTransport?>(nil)

/// A transport as the C table needs it.
@unsafe struct ExportedTransport {
  let identity: ObjectIdentifier
  let table: UnsafePointer<ac_transport_t>
  let host: DriverServices
  let open: @Sendable (TransportSource, SensorContext) throws(SensorFailure) -> any USBTransport
  let watch: (@Sendable (SensorContext) throws(SensorFailure) -> any USBWatch)?
}
