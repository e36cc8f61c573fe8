import Protocol

/// Reads what an engine answered. An engine is a plugin: its bytes are checked like anybody's.
enum EngineAnswer {
  /// The reply `engine` owes: a message of this kind, or the failure it answered with, which is
  /// thrown.
  static func decode<Reply: WireMessage & ~Copyable>(
    _ bytes: borrowing SecretBytes, as reply: Reply.Type = Reply.self, from engine: String
  ) throws(Failure) -> Reply {
    if number(of: bytes) == Failure.number { throw refusal(bytes, from: engine) }
    do {
      return try Reply.decode(bytes.bytes)
    } catch {
      throw unreadable(engine, reason: "\(error)")
    }
  }

  /// The kind of message, or nil for an empty one.
  static func number(of bytes: borrowing SecretBytes) -> UInt8? {
    bytes.count > 0 ? bytes.bytes[0] : nil
  }

  /// The failure an engine answered with.
  static func refusal(_ bytes: borrowing SecretBytes, from engine: String) -> Failure {
    do {
      return try Failure.decode(bytes.bytes)
    } catch {
      return unreadable(engine, reason: "\(error)")
    }
  }

  /// An engine answered with something it should not.
  static func unreadable(_ engine: String, reason: String) -> Failure {
    Failure(
      .engineFailed, "the \(engine) engine gave an answer that makes no sense (\(reason))",
      hint: "the engine's file may be of another version: see authcore status")
  }
}
