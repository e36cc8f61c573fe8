public import AuthcoreABI
internal import Synchronization

/// One open USB device: what a transport plugin implements.
///
/// Calls are made on one thread. When the value dies it cancels pending transfers, releases its
/// interfaces and closes. A module exports one transport with ``export(_:host:ret:)`` from
/// `ac_transport_entry`.
public protocol USBTransport: SendableMetatype {
  /// "usb", "recording", …
  static var name: String { get }

  init(source: TransportSource, context: SensorContext) throws(SensorFailure)

  var info: USBDeviceInfo { get }

  /// Claims an interface, detaching a kernel driver if possible.
  mutating func claimInterface(_ number: UInt8) throws(SensorFailure)

  mutating func releaseInterface(_ number: UInt8) throws(SensorFailure)

  /// Begins a transfer, and returns at once. `identifier` is a new one.
  mutating func submit(_ transfer: USBTransfer, as identifier: UInt32) throws(SensorFailure)

  /// Waits for a transfer. Without a deadline it waits forever. Throws
  /// ``SensorFailure/Code/interrupted`` if the context's interruption is requested. The transfer
  /// goes on after that and after a timeout; otherwise it is over.
  mutating func wait(for identifier: UInt32, deadline: Duration?) throws(SensorFailure)
    -> USBTransferResult

  /// Ends a transfer, which may be over already.
  ///
  /// - Returns: The bytes that had come.
  mutating func cancel(_ identifier: UInt32) throws(SensorFailure) -> [UInt8]

  mutating func clearHalt(endpoint: UInt8) throws(SensorFailure)

  mutating func reset() throws(SensorFailure)
}

/// Where a transport's device comes from.
public struct TransportSource: Sendable {
  /// The device node or the recording, or -1 if bus and address name the device. The host opened it
  /// and will close it; it may be used until `init` returns.
  public let fileDescriptor: Int32
  /// 0 if it does not matter.
  public let bus: UInt8
  /// 0 if it does not matter.
  public let address: UInt8
  /// Settings for the transport, or empty.
  public let text: String
  /// Where to record the traffic as pcapng, or -1. The host opened it for writing and will close
  /// it; it may be used until the device is closed.
  public let captureDescriptor: Int32

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

  /// The size in version 1.0, up to `text`.
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
  let maker = TransportMaker(
    open: { (source, context) throws(SensorFailure) in
      try Transport(source: source, context: context)
    }, watch: watch)
  return unsafe exportedTransport.export(
    ObjectIdentifier(transport), version: transportABI, host: host, ret: ret, maker: maker,
    makeTable: {
      unsafe TransportTable.make(name: Transport.name, watchesDevices: watch != nil)
    })
}

/// `AC_TRANSPORT_ABI`, a macro that Swift does not import.
let transportABI =
  UInt32(AC_TRANSPORT_ABI_MAJOR) << 16 | UInt32(AC_TRANSPORT_ABI_MINOR)

/// The transport of this module.
@safe let exportedTransport = unsafe Mutex<Exported<ac_transport_t, TransportMaker>?>(nil)

struct TransportMaker: Sendable {
  let open: @Sendable (TransportSource, SensorContext) throws(SensorFailure) -> any USBTransport
  let watch: (@Sendable (SensorContext) throws(SensorFailure) -> any USBWatch)?
}
