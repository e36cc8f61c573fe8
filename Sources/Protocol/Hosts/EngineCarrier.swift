/// Core to enclave host: a request for the engine; answered by one ``EngineReply``.
package typealias EngineCall = EngineCarrier<1>
/// Enclave host to core: the engine's answer to the call before.
package typealias EngineReply = EngineCarrier<25>
/// Enclave host to core: what the engine gave to `events/1`; sent before the reply of the call that
/// caused it.
package typealias EngineEvent = EngineCarrier<26>

/// A message of the mailbox that holds one of the engine's own protocol and nothing else. Whoever
/// has the one need not copy the other: they share their bytes. `code` is its number.
package struct EngineCarrier<let code: Int>: ~Copyable, WireMessage {
  package static var number: UInt8 { UInt8(code) }
  package let content: SecretBytes

  package init(_ content: consuming SecretBytes) { self.content = content }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeSecret(content) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    content = try decoder.readSecret(limit: HostProtocol.maximumEngineMessage)
  }

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

/// An order that says nothing but which channel is meant; `code` is its number.
package struct ChannelOrder<let code: Int>: WireMessage, Equatable {
  package static var number: UInt8 { UInt8(code) }
  /// What the engine knows the socket by.
  package let channel: UInt32
  package init(channel: UInt32) { self.channel = channel }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(channel) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { channel = try decoder.read() }
}

/// Core to enclave host: frames come through the descriptor that travels with this message. A
/// channel that is attached already is replaced.
package typealias AttachSensor = ChannelOrder<2>
/// Core to enclave host: no more frames from this channel; nothing is passed on any more.
package typealias DetachSensor = ChannelOrder<3>
