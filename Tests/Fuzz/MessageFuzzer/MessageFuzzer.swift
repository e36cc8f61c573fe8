import Protocol
import TestSupport

/// Feeds every decoder of the mailboxes and of the client protocol; whatever decodes must encode to
/// something that decodes again.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  _ = try? ApplicationRequest(decoding: input.span)
  _ = try? KeychainRequest(decoding: input.span)
  var roundTrip = RoundTrip(input: input)
  EveryMessage.visit(with: &roundTrip)
  return 0
}

private struct RoundTrip: MessageVisitor {
  let input: [UInt8]

  mutating func visit<Message: WireMessage & ~Copyable>(_ type: Message.Type) {
    var decoder = WireDecoder(input.span)
    guard let message = try? Message(from: &decoder) else { return }
    let bytes = message.encoded()
    do {
      _ = try Message.decode(bytes.bytes)
    } catch {
      preconditionFailure("\(type) does not decode what it encoded: \(error)")
    }
  }
}
