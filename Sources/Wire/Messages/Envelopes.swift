/// An engine that applications' messages are for.
package enum AddressedEngine: UInt8, CaseIterable, WireField {
  case keychain = 1
  case enclave = 2
}

/// A message that an application may send to an engine: the core passes it on without reading it,
/// and the engine accepts it in an ``ApplicationRequest`` only.
package protocol EngineMessage: WireMessage, ~Copyable {
  /// Who answers it.
  static var engine: AddressedEngine { get }
  /// The number of the answer, where it is no failure.
  static var replyNumber: UInt8 { get }
}

/// The messages that applications may send to engines.
package enum EngineMessages {
  /// For each engine and message the number of its answer. It is all the core knows of them.
  package static let replies: [AddressedEngine: [UInt8: UInt8]] = {
    var replies: [AddressedEngine: [UInt8: UInt8]] = [:]
    func add<Message: EngineMessage & ~Copyable>(_ type: Message.Type) {
      replies[Message.engine, default: [:]][Message.number] = Message.replyNumber
    }
    add(AddItem.self)
    add(AddItems.self)
    add(FindItems.self)
    add(GetItem.self)
    add(UpdateItems.self)
    add(RemoveItems.self)
    add(ShareItem.self)
    add(CreateKey.self)
    add(FindKeys.self)
    add(UseKey.self)
    add(RemoveKey.self)
    add(CheckKeychain.self)
    add(RepairKeychain.self)
    add(ListFingers.self)
    add(RenameFinger.self)
    add(RemoveFinger.self)
    add(LockDevice.self)
    add(GiveAppPassword.self)
    add(RequirePasscode.self)
    return replies
  }()
}

/// Core → engine: a message of an application, which the core has not read. Reply: that message's.
///
/// Each engine has a list of what it accepts in here, and refuses everything else, whatever else
/// its mailbox knows.
package struct ApplicationRequest: ~Escapable {
  /// The number of this message in every engine's mailbox.
  package static var number: UInt8 { 12 }
  /// The longest message in an envelope, in bytes: that with the largest secret, and its
  /// attributes.
  package static let longestMessage = 256 << 10
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
    message = try decoder.readSpan(limit: Self.longestMessage)
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

/// The context does not hold what is asked for. Core and engines only: the core prompts, and asks
/// again.
package struct EvidenceNeeded: WireMessage, Equatable {
  package static var number: UInt8 { 84 }
  package let accessControl: AccessControl
  package let held: EvidenceSet
  package init(accessControl: AccessControl, held: EvidenceSet) {
    self.accessControl = accessControl
    self.held = held
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(accessControl, held)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (accessControl, held) = try decoder.read()
  }
}
