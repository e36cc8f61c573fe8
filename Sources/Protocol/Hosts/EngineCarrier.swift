/// A message of the mailbox that holds one of the engine's own protocol and nothing else. Whoever
/// has the one need not copy the other: they share their bytes.
package protocol EngineCarrier: WireMessage, ~Copyable {}

extension EngineCarrier where Self: ~Copyable {
  /// What lies in front of a message of `count` bytes.
  package static func head(count: Int) -> [UInt8] {
    var encoder = WireEncoder()
    encoder.writeByte(number)
    encoder.writeLength(count)
    return encoder.finishPlain()
  }

  /// The engine's message in one of the mailbox, where it lies.
  @_lifetime(copy message)
  package static func content(of message: Span<UInt8>) throws(DecodeError) -> Span<UInt8> {
    var decoder = WireDecoder(message)
    let found = try decoder.readByte()
    guard found == number else { throw .unknownMessage(number: found) }
    let content = try decoder.readSpan(limit: HostProtocol.maximumEngineMessage)
    try decoder.finish()
    return content
  }

  /// The engine's message, in place of the one it came in.
  package static func content(
    of message: consuming SecretBytes
  ) throws(DecodeError) -> SecretBytes {
    let count = try content(of: message.bytes).count
    let end = message.count
    return message.extracting(end - count..<end)
  }
}
