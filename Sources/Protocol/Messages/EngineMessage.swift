/// A message from an application to an engine. The core passes it on unread, and the engine accepts
/// it only in an ``ApplicationRequest``.
package protocol EngineMessage: WireMessage, ~Copyable {
  static var engine: AddressedEngine { get }
  /// The number of the reply, unless that is a failure.
  static var replyNumber: UInt8 { get }
  static var longest: Int { get }
}

extension EngineMessage where Self: ~Copyable {
  package static var longest: Int { ApplicationRequest.longestMessage }
}

package enum EngineMessages {
  /// What the core knows about a message.
  private struct Kind {
    let reply: UInt8
    let longest: Int
  }

  /// The number of the reply to each message of each engine.
  package static let replies = kinds.mapValues { $0.mapValues(\.reply) }

  /// The limits of messages that may be longer than ``ApplicationRequest/longestMessage``, in
  /// bytes.
  private static let longer = kinds.values.reduce(into: [UInt8: Int]()) { longer, kinds in
    for (number, kind) in kinds where kind.longest > ApplicationRequest.longestMessage {
      longer[number] = kind.longest
    }
  }

  /// The longest of all messages, in bytes.
  package static let longest = longer.values.max() ?? ApplicationRequest.longestMessage

  /// Refuses a message that is longer than its kind may be.
  static func requireShort(_ message: borrowing SecretBytes) throws(DecodeError) {
    try requireShort(message.bytes)
  }

  static func requireShort(_ message: Span<UInt8>) throws(DecodeError) {
    guard message.count > ApplicationRequest.longestMessage else { return }
    let limit = longer[message[0]] ?? ApplicationRequest.longestMessage
    guard message.count <= limit else { throw .tooLong(count: message.count, limit: limit) }
  }

  private static let kinds: [AddressedEngine: [UInt8: Kind]] = {
    var kinds: [AddressedEngine: [UInt8: Kind]] = [:]
    forEach {
      let kind = Kind(reply: $0.replyNumber, longest: $0.longest)
      kinds[$0.engine, default: [:]][$0.number] = kind
    }
    return kinds
  }()
}

/// Core → engine: a message of an application, which the core has not read. Reply: that of the
/// message.
///
/// Each engine has a list of the messages that it accepts here, and refuses all others, even if its
/// mailbox knows them.
package struct ApplicationRequest: ~Escapable {
  /// The number of this message in every engine's mailbox.
  package static var number: UInt8 { 12 }
  /// The longest message in an envelope, in bytes, unless its kind says otherwise
  /// (``EngineMessage/longest``): the largest secret with its attributes.
  package static let longestMessage = 256 << 10
  /// The longest message with a certificate, in bytes.
  static let longestWithCertificate = longestMessage + largestCertificate
  /// Who sent the message, and the context whose evidence counts, unless its number is
  /// ``noContext``.
  package let context: ContextName
  /// Number and fields of an ``EngineMessage``, in the memory of the envelope.
  package let message: Span<UInt8>

  @_lifetime(copy bytes)
  package init(decoding bytes: Span<UInt8>) throws(DecodeError) {
    var decoder = WireDecoder(bytes)
    try decoder.read(number: Self.number)
    context = try decoder.read()
    message = try decoder.readSpan(limit: EngineMessages.longest)
    try EngineMessages.requireShort(message)
    try decoder.finish()
  }

  package static func encoded(
    context: ContextName, message: borrowing SecretBytes
  ) -> SecretBytes {
    let capacity = message.count + context.requester.application.utf8.count + 40
    var encoder = WireEncoder(capacity: capacity)
    encoder.write(number, context)
    encoder.writeSecret(message)
    return encoder.finish()
  }
}
