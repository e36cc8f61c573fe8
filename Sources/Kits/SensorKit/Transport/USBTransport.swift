public import AuthcoreABI
internal import Synchronization

/// One open USB device, however it is reached: what a transport plugin implements.
///
/// Calls are made on one thread. Dying cancels what is pending, releases and closes. A module
/// exports one transport with ``export(_:host:ret:)`` from `ac_transport_entry`.
public protocol USBTransport: SendableMetatype {
  /// "usb", "recording", …
  static var name: String { get }

  /// Opens the device that `source` tells of.
  init(source: TransportSource, context: SensorContext) throws(SensorFailure)

  var info: USBDeviceInfo { get }

  /// Claims an interface, detaching a kernel driver where possible.
  mutating func claimInterface(_ number: UInt8) throws(SensorFailure)

  /// Gives an interface back.
  mutating func releaseInterface(_ number: UInt8) throws(SensorFailure)

  /// Begins a transfer and returns at once. `identifier` was never used before.
  mutating func submit(_ transfer: USBTransfer, as identifier: UInt32) throws(SensorFailure)

  /// Waits for a transfer that was begun; nil as a deadline is none. Ends with
  /// ``SensorFailure/Code/interrupted`` when the context's interruption says so. After that and
  /// after a timeout the transfer goes on; otherwise it is over.
  mutating func wait(for identifier: UInt32, deadline: Duration?) throws(SensorFailure)
    -> USBTransferResult

  /// Ends a transfer; one that is over already is no failure.
  ///
  /// - Returns: The bytes that had come before.
  mutating func cancel(_ identifier: UInt32) throws(SensorFailure) -> [UInt8]

  mutating func clearHalt(endpoint: UInt8) throws(SensorFailure)

  mutating func reset() throws(SensorFailure)
}

/// Where a transport's device comes from.
public struct TransportSource: Sendable {
  /// The device node or the recording, opened by the host, which will close it; may be used until
  /// `init` returns. -1: by bus and address.
  public let fileDescriptor: Int32
  /// The bus number; 0 where it does not matter.
  public let bus: UInt8
  /// The address on the bus; 0 where it does not matter.
  public let address: UInt8
  /// What the transport understands; empty where nothing was said.
  public let text: String
  /// Where to record the traffic as pcapng, opened for writing by the host, which will close it;
  /// -1: nowhere. May be used until the device is closed.
  public let captureDescriptor: Int32

  /// Copies what the host passed to `open`.
  init?(_ source: UnsafePointer<ac_transport_source_t>?) {
    guard
      let source = unsafe source?.pointee,
      unsafe Int(source.struct_size) >= Self.firstSize
    else { return nil }
    fileDescriptor = unsafe source.file_descriptor
    bus = unsafe source.bus
    address = unsafe source.address
    text = unsafe source.text.map { unsafe String(cString: $0) } ?? ""
    captureDescriptor =
      unsafe Int(source.struct_size) < MemoryLayout<ac_transport_source_t>.size
      ? -1 : source.capture_descriptor
  }

  /// Up to and with `text`.
  private static let firstSize =
    unsafe MemoryLayout<ac_transport_source_t>.offset(of: \.capture_descriptor) ?? 0
}

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
