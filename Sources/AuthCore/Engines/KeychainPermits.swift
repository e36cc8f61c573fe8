import EngineKit
import Wire

/// What a keychain may send to the enclave: seal, open and the attributes' batches; and open only in the context of the request that is
/// under way. The numbers are those of EngineKit.
struct KeychainPermits {
  /// The context of the request under way, where it has one.
  let context: UInt64?

  private static let free: Set<UInt8> = [
    SealItem.number, SealAttributes.number, OpenAttributes.number, HashAttributes.number,
  ]

  /// Whether these bytes may go on to the enclave.
  func allow(_ request: Span<UInt8>) -> Bool {
    var decoder = WireDecoder(request)
    do {
      let number = try decoder.readByte()
      // Both begin with the context.
      guard number == OpenItem.number || number == OpenWholeItem.number else {
        return Self.free.contains(number)
      }
      return try decoder.readUInt64() == context
    } catch {
      return false
    }
  }
}
