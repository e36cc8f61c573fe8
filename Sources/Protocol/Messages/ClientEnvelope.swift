import BuildIdentity

/// The client protocol between an application and the core: framed messages over one Unix socket
/// (docs/protocol.md).
///
/// Every message is its number, the `uint32` id of the request it belongs to, and its fields. A
/// client chooses the ids; the core answers each request exactly once under its id, with the
/// reply's message or a ``Failure``; prompts and progress of a request travel under its id
/// before that.
package enum ClientEnvelope {
  /// The version of this software.
  package static let softwareVersion = BuildIdentity.version
  /// The longest message from a client, in bytes: that with the longest message to an engine.
  package static let longestRequest = EngineMessages.longest
  /// The longest message from a core, in bytes: a list of many items.
  package static let longestReply = 20 << 20

  /// The longest message of a number from a client, in bytes. Only those to engines may be longer
  /// than usual, and say themselves which of them are.
  package static func longestRequest(of number: UInt8) -> Int {
    number == EngineRequest.number ? longestRequest : ApplicationRequest.longestMessage
  }

  /// A message as it crosses the socket.
  package static func encode<Message: WireMessage & ~Copyable>(
    _ message: borrowing Message, request: UInt32
  ) -> SecretBytes {
    var encoder = WireEncoder()
    encoder.writeByte(Message.number)
    encoder.writeUInt32(request)
    message.encode(into: &encoder)
    return encoder.finish()
  }

  /// A message that is encoded already, number and fields, as it crosses the socket; at least a
  /// byte.
  package static func wrap(_ message: borrowing SecretBytes, request: UInt32) -> SecretBytes {
    var encoder = WireEncoder(capacity: message.count + 4)
    encoder.write(message.bytes[0], request)
    encoder.writeRaw(message.bytes.extracting(droppingFirst: 1))
    return encoder.finish()
  }

  /// Number and request id, without the fields.
  package static func header(_ bytes: Span<UInt8>) throws(DecodeError) -> (
    number: UInt8, request: UInt32
  ) {
    var decoder = WireDecoder(bytes)
    return (try decoder.readByte(), try decoder.readUInt32())
  }

  /// The message, which must be of this kind and use up all bytes.
  package static func decode<Message: WireMessage & ~Copyable>(
    _ bytes: Span<UInt8>, as type: Message.Type = Message.self
  ) throws(DecodeError) -> Message {
    var decoder = WireDecoder(bytes)
    return try decode(&decoder)
  }

  /// The same; secrets in it stay where they lie.
  package static func decode<Message: WireMessage & ~Copyable>(
    _ bytes: borrowing SecretBytes, as type: Message.Type = Message.self
  ) throws(DecodeError) -> Message {
    var decoder = WireDecoder(bytes)
    return try decode(&decoder)
  }

  private static func decode<Message: WireMessage & ~Copyable>(
    _ decoder: inout WireDecoder
  ) throws(DecodeError) -> Message {
    let number = try decoder.readByte()
    guard number == Message.number else { throw .unknownMessage(number: number) }
    _ = try decoder.readUInt32()
    let message = try Message(from: &decoder)
    try decoder.finish()
    return message
  }
}

extension PromptOptions {
  /// How long anybody waits for a touch or an answer at most, in milliseconds: a day.
  package static let longestTimeoutMilliseconds: UInt32 = 86_400_000

  /// For requests that must not prompt: one that would have to fails.
  package static let none = PromptOptions(
    reason: "", fallbackTitle: nil, cancelTitle: nil, timeoutMilliseconds: 0, mayPrompt: false,
    touch: .none, canGivePasscode: false, prefersPasscode: false, mayUseAgent: false)
}

extension CoreStatus {
  /// What ``device`` says where frames that repeat count as touches.
  package static let repeatingDevice = "tape, whose frames may repeat"
}

extension GiveStateBytes {
  /// Most bytes of one message.
  package static var most: Int { 64 << 10 }
}

extension StatePart {
  /// The folder's name.
  package var folder: String {
    switch self {
    case .enclave: "enclave"
    case .keychain: "keychain"
    }
  }

  /// The files that make up a state. What else lies there stays behind: what was put aside, what is
  /// made anew, and the mark of an enclave that destroys itself.
  package var files: [String] {
    switch self {
    case .enclave:
      ["attempts", "keybag", "root.key"]
        + (1...5).flatMap { ["finger-\($0)", "adapted-\($0)"] }
    case .keychain: ["keychain.sqlite", "keychain.sqlite-wal"]
    }
  }
}

// What `authcored` tells whoever started it, through the descriptor named by --ready-fd: one
// message, framed by its `uint32` length as everywhere, without a request id: ``CoreReady``,
// ``ResolvedDriver`` where that was asked, or a ``Failure``. Then the descriptor is closed.

/// Names inside a state folder that a client and its core agree on.
package enum StateFolder {
  /// The core's socket.
  package static let socket = "core.sock"
  /// Held with `flock(2)` by the core of this folder while it lives.
  package static let lock = "core.lock"
  /// Held with a shared `flock(2)` by agents that come as soon as a core of this folder serves.
  package static let agentLock = "agent.lock"
  /// What drivers said about themselves, remembered by whoever asked.
  package static let descriptions = "descriptions"
  /// The permissions of the folder; one that others may enter is refused.
  package static let mode: UInt32 = 0o700
}

extension EngineRequest {
  borrowing func check() throws(DecodeError) { try EngineMessages.requireShort(message) }
}
