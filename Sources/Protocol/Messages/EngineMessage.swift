/// A message that an application may send to an engine: the core passes it on without reading it,
/// and the engine accepts it in an ``ApplicationRequest`` only.
package protocol EngineMessage: WireMessage, ~Copyable {
  /// Who answers it.
  static var engine: AddressedEngine { get }
  /// The number of the answer, where it is no failure.
  static var replyNumber: UInt8 { get }
  /// Bytes of number and fields, at most.
  static var longest: Int { get }
}

extension EngineMessage where Self: ~Copyable {
  package static var longest: Int { ApplicationRequest.longestMessage }
}

/// The messages that applications may send to engines.
package enum EngineMessages {
  /// All the core knows of a message.
  private struct Kind {
    /// The number of its answer.
    let reply: UInt8
    /// Bytes of it, at most.
    let longest: Int
  }

  /// For each engine and message the number of its answer.
  package static let replies = kinds.mapValues { $0.mapValues(\.reply) }

  /// Those that may be longer than ``ApplicationRequest/longestMessage``, with their limits in bytes.
  private static let longer = kinds.values.reduce(into: [UInt8: Int]()) { longer, kinds in
    for (number, kind) in kinds where kind.longest > ApplicationRequest.longestMessage {
      longer[number] = kind.longest
    }
  }

  /// The longest of all messages, in bytes.
  package static let longest = longer.values.max() ?? ApplicationRequest.longestMessage

  /// Refuses a message of more bytes than those of its number may have.
  package static func requireShort(_ message: borrowing SecretBytes) throws(DecodeError) {
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

/// Core → engine: a message of an application, which the core has not read. Reply: that message's.
///
/// Each engine has a list of what it accepts in here, and refuses everything else, whatever else
/// its mailbox knows.
package struct ApplicationRequest: ~Escapable {
  /// The number of this message in every engine's mailbox.
  package static var number: UInt8 { 12 }
  /// The longest message in an envelope, in bytes, unless it says otherwise of itself
  /// (``EngineMessage/longest``): that with the largest secret, and its attributes.
  package static let longestMessage = 256 << 10
  /// The longest of those that hold a certificate, in bytes.
  package static let longestWithCertificate = longestMessage + largestCertificate
  /// The context whose evidence counts, where its number is not ``noContext``, and whose message it
  /// is.
  package let context: ContextName
  /// Number and fields of an ``EngineMessage``, where they lie.
  package let message: Span<UInt8>

  /// Reads an envelope that must use up all bytes.
  @_lifetime(copy bytes)
  package init(decoding bytes: Span<UInt8>) throws(DecodeError) {
    var decoder = WireDecoder(bytes)
    let number = try decoder.readByte()
    guard number == Self.number else { throw .unknownMessage(number: number) }
    context = try decoder.read()
    message = try decoder.readSpan(limit: EngineMessages.longest)
    try EngineMessages.requireShort(message)
    try decoder.finish()
  }

  /// An envelope as it crosses the wall.
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
