import BuildIdentity

/// The client protocol between an application and the core: framed messages over one Unix socket
/// (docs/protocol.md).
///
/// A message consists of its number, the `uint32` id of its request, and its fields. The client
/// chooses the ids. The core answers each request exactly once under its id, with the reply or a
/// ``Failure``; before that, prompts and progress of the request carry the same id.
package enum ClientEnvelope {
  package static let softwareVersion = BuildIdentity.version
  /// The longest message from a client, in bytes: one with the longest message to an engine.
  package static let longestRequest = EngineMessages.longest
  /// The longest message from a core, in bytes: a list of many items.
  package static let longestReply = 20 << 20

  /// The longest message of this number from a client, in bytes. Only messages to engines may be
  /// longer than usual, and their kinds say so.
  package static func longestRequest(of number: UInt8) -> Int {
    number == EngineRequest.number ? longestRequest : ApplicationRequest.longestMessage
  }

  package static func encode<Message: WireMessage & ~Copyable>(
    _ message: borrowing Message, request: UInt32
  ) -> SecretBytes {
    var encoder = WireEncoder()
    encoder.writeByte(Message.number)
    encoder.writeUInt32(request)
    message.encode(into: &encoder)
    return encoder.finish()
  }

  /// Adds a request to an encoded message (number and fields, at least a byte).
  package static func wrap(_ message: borrowing SecretBytes, request: UInt32) -> SecretBytes {
    var encoder = WireEncoder(capacity: message.count + 4)
    encoder.write(message.bytes[0], request)
    encoder.writeRaw(message.bytes.extracting(droppingFirst: 1))
    return encoder.finish()
  }

  package static func header(_ bytes: Span<UInt8>) throws(DecodeError) -> (
    number: UInt8, request: UInt32
  ) {
    var decoder = WireDecoder(bytes)
    return (try decoder.readByte(), try decoder.readUInt32())
  }

  /// Reads a message, which must be of this kind and use up all bytes.
  package static func decode<Message: WireMessage & ~Copyable>(
    _ bytes: Span<UInt8>, as type: Message.Type = Message.self
  ) throws(DecodeError) -> Message {
    var decoder = WireDecoder(bytes)
    return try decode(&decoder)
  }

  /// Reads a message without copying the secrets in it.
  package static func decode<Message: WireMessage & ~Copyable>(
    _ bytes: borrowing SecretBytes, as type: Message.Type = Message.self
  ) throws(DecodeError) -> Message {
    var decoder = WireDecoder(bytes)
    return try decode(&decoder)
  }

  private static func decode<Message: WireMessage & ~Copyable>(
    _ decoder: inout WireDecoder
  ) throws(DecodeError) -> Message {
    try decoder.read(number: Message.number)
    _ = try decoder.readUInt32()
    let message = try Message(from: &decoder)
    try decoder.finish()
    return message
  }
}

extension PromptOptions {
  /// The longest wait for a touch or an answer, in milliseconds: a day.
  package static let longestTimeoutMilliseconds: UInt32 = 86_400_000

  /// For requests that must not prompt. They fail if they would have to.
  package static let none = PromptOptions(
    reason: "", fallbackTitle: nil, cancelTitle: nil, timeoutMilliseconds: 0, mayPrompt: false,
    touch: .none, canGivePasscode: false, prefersPasscode: false, mayUseAgent: false)
}

extension CoreStatus {
  /// The value of ``device`` if repeated frames count as touches.
  package static let repeatingDevice = "tape, whose frames may repeat"
}

extension GiveStateBytes {
  package static var most: Int { 64 << 10 }
}

extension StatePart {
  package var folder: String {
    switch self {
    case .enclave: "enclave"
    case .keychain: "keychain"
    }
  }

  /// The files of a state. Others stay behind: what was put aside, what is made anew, and the mark
  /// of an enclave that destroys itself.
  package var files: [String] {
    switch self {
    case .enclave:
      ["attempts", "keybag", "root.key"]
        + (1...5).flatMap { ["finger-\($0)", "adapted-\($0)"] }
    case .keychain: ["keychain.sqlite", "keychain.sqlite-wal"]
    }
  }
}

// What `authcored` reports to its parent, through the descriptor named by --ready-fd: one message
// behind its `uint32` length, without a request id: ``CoreReady``, a ``ResolvedDriver`` if one was
// asked for, or a ``Failure``. Then the descriptor is closed.

/// Names inside a state folder that a client and its core agree on.
package enum StateFolder {
  package static let socket = "core.sock"
  /// Held with `flock(2)` by the core of this folder as long as it lives.
  package static let lock = "core.lock"
  /// Held with a shared `flock(2)` by agents that wait for a core of this folder.
  package static let agentLock = "agent.lock"
  /// What drivers said about themselves.
  package static let descriptions = "descriptions"
  /// The permissions of the folder. A core refuses a folder that others may enter.
  package static let mode: UInt32 = 0o700
}

extension EngineRequest {
  borrowing func check() throws(DecodeError) { try EngineMessages.requireShort(message) }
}
