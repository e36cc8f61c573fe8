internal import AuthcoreABI

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
