package import Wire

/// Core to enclave host: a request for the engine; answered by one ``EngineReply``.
package struct EngineCall: ~Copyable, WireMessage {
  /// The number of this message.
  package static var number: UInt8 { 1 }
  /// A message of the engine's own protocol.
  package let request: SecretBytes

  /// Describes a call.
  package init(request: consuming SecretBytes) { self.request = request }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeSecret(request)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    request = try decoder.readSecret(limit: HostProtocol.maximumEngineMessage)
  }
}

/// Enclave host to core: the engine's answer to the call before.
package struct EngineReply: ~Copyable, WireMessage {
  /// The number of this message.
  package static var number: UInt8 { 25 }
  /// A message of the engine's own protocol.
  package let reply: SecretBytes

  /// Gives up the message for what it holds.
  package consuming func consumeReply() -> SecretBytes { reply }

  /// Describes a reply.
  package init(reply: consuming SecretBytes) { self.reply = reply }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeSecret(reply) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    reply = try decoder.readSecret(limit: HostProtocol.maximumEngineMessage)
  }
}

/// Enclave host to core: what the engine gave to `events/1`; sent before the reply of the call that caused it.
package struct EngineEvent: ~Copyable, WireMessage {
  /// The number of this message.
  package static var number: UInt8 { 26 }
  /// A message of the engine's own protocol.
  package let event: SecretBytes

  /// Gives up the message for what it holds.
  package consuming func consumeEvent() -> SecretBytes { event }

  /// Describes an event.
  package init(event: consuming SecretBytes) { self.event = event }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeSecret(event) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    event = try decoder.readSecret(limit: HostProtocol.maximumEngineMessage)
  }
}

/// Core to enclave host: frames come through the descriptor that travels with this message.
package struct AttachSensor: WireMessage, Equatable {
  /// The number of this message.
  package static var number: UInt8 { 2 }
  /// What the engine will know the socket by; one that is attached already is replaced.
  package let channel: UInt32

  /// Describes an attachment.
  package init(channel: UInt32) { self.channel = channel }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeUInt32(channel) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    channel = try decoder.readUInt32()
  }
}

/// Core to enclave host: no more frames from this channel; nothing is passed on any more.
package struct DetachSensor: WireMessage, Equatable {
  /// The number of this message.
  package static var number: UInt8 { 3 }
  /// The channel of the ``AttachSensor``.
  package let channel: UInt32

  /// Describes a detachment.
  package init(channel: UInt32) { self.channel = channel }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeUInt32(channel) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    channel = try decoder.readUInt32()
  }
}
