// What applications ask of the keychain and what it answers, the same on every way: from a client
// to the core as an ``EngineRequest``, and unread from there to the keychain as an
// ``ApplicationRequest``.

/// The largest secret of an item, in bytes.
package let largestItemSecret = 48 << 10
/// The largest attributes of an item, as the keychain has them sealed, in bytes.
package let largestAttributes = 16 << 10

/// Adds an item, without a prompt. With access control its class becomes the one of this device
/// only. Reply: ``ItemAdded``. Failures: `errSecDuplicateItem`, `errSecParam`, `errSecNoSuchAttr`,
/// `errSecMissingEntitlement` (a group that it does not reach), `errSecInteractionNotAllowed`, `passcodeNotSet`, `biometryNotEnrolled`.
package struct AddItem: EngineMessage, ~Copyable {
  package static var number: UInt8 { 40 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { ItemAdded.number }
  /// Identifier and times are ignored.
  package let attributes: ItemAttributes
  package let secret: SecretBytes
  package init(attributes: ItemAttributes, secret: consuming SecretBytes) {
    self.attributes = attributes
    self.secret = secret
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(attributes)
    encoder.writeSecret(secret)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let attributes = try ItemAttributes(from: &decoder)
    let secret = try decoder.readSecret(limit: largestItemSecret)
    self.init(attributes: attributes, secret: secret)
  }
}

/// The item as it is stored: the reply to ``AddItem`` and ``ShareItem``.
package struct ItemAdded: WireMessage, Equatable {
  package static var number: UInt8 { 41 }
  package let attributes: ItemAttributes
  package init(attributes: ItemAttributes) { self.attributes = attributes }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(attributes) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    attributes = try decoder.read()
  }
}

/// Finds items by attributes, without a prompt: as many of them, oldest first, as one reply holds,
/// from the one on that was added after the last of an earlier reply. Reply: ``FoundItems``.
/// Failures, to the first of several: `errSecItemNotFound`; `errSecInteractionNotAllowed` when only
/// items of closed classes match.
package struct FindItems: EngineMessage, Equatable, WireField {
  package static var number: UInt8 { 42 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { FoundItems.number }
  package let query: ItemQuery
  /// Leaves out items that want more proved than the context holds (`kSecUseAuthenticationUISkip`).
  package let onlyOpenable: Bool
  /// How many are wanted at most; 0: as many as there are.
  package let limit: UInt32
  /// What the reply before said of how to go on; 0 in the first message.
  package let after: UInt64
  package init(
    query: ItemQuery, onlyOpenable: Bool = false, limit: UInt32 = 0, after: UInt64 = 0
  ) {
    self.query = query
    self.onlyOpenable = onlyOpenable
    self.limit = limit
    self.after = after
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(query, onlyOpenable, limit, after)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (query, onlyOpenable, limit, after) = try decoder.read()
  }
}

/// Items without their secrets, oldest first.
package struct FoundItems: WireMessage, Equatable {
  package static var number: UInt8 { 43 }
  package let items: [ItemAttributes]
  /// For ``FindItems`` to go on with; 0 where there are no more.
  package let next: UInt64
  package init(items: [ItemAttributes], next: UInt64 = 0) {
    self.items = items
    self.next = next
  }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(items, next) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (items, next) = try decoder.read()
  }
}

/// Opens the one item a query names, against the evidence of a context. Reply: ``GotItem``, or
/// ``EvidenceNeeded``, which the core answers by prompting. Failures: `errSecItemNotFound`,
/// `ambiguous` (several match; the message lists them), `errSecInteractionNotAllowed` (class
/// closed), `errSecDecode` (damaged, or its key is gone), `errSecAuthFailed` (the set of fingers
/// has changed).
package struct GetItem: EngineMessage, Equatable {
  package static var number: UInt8 { 44 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { GotItem.number }
  package let query: ItemQuery
  package init(query: ItemQuery) { self.query = query }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(query) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { query = try decoder.read() }
}

/// An item and its secret.
package struct GotItem: WireMessage, ~Copyable {
  package static var number: UInt8 { 45 }
  package let attributes: ItemAttributes
  package let secret: SecretBytes
  package init(attributes: ItemAttributes, secret: consuming SecretBytes) {
    self.attributes = attributes
    self.secret = secret
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(attributes)
    encoder.writeSecret(secret)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let attributes = try ItemAttributes(from: &decoder)
    let secret = try decoder.readSecret(limit: largestItemSecret)
    self.init(attributes: attributes, secret: secret)
  }

  /// Gives the message up for the secret.
  package consuming func takeSecret() -> SecretBytes { secret }
}

/// Changes the items a query names. Reply: ``ItemsChanged``, or ``EvidenceNeeded`` for the first
/// protected item the context does not open; then nothing has been changed. Failures: as
/// ``GetItem``, and `errSecDuplicateItem`.
package struct UpdateItems: EngineMessage, ~Copyable {
  package static var number: UInt8 { 46 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { ItemsChanged.number }
  package let query: ItemQuery
  package let changes: ItemChanges
  /// Several matches are `ambiguous` unless this is set.
  package let allowsSeveral: Bool
  /// Whether `secret` replaces the item's.
  package let replacesSecret: Bool
  /// Empty where the secret stays.
  package let secret: SecretBytes
  package init(
    query: ItemQuery, changes: ItemChanges, allowsSeveral: Bool, replacesSecret: Bool,
    secret: consuming SecretBytes
  ) {
    self.query = query
    self.changes = changes
    self.allowsSeveral = allowsSeveral
    self.replacesSecret = replacesSecret
    self.secret = secret
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(query, changes, allowsSeveral, replacesSecret)
    encoder.writeSecret(secret)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let (query, changes): (ItemQuery, ItemChanges) = try decoder.read()
    let (allowsSeveral, replacesSecret): (Bool, Bool) = try decoder.read()
    let secret = try decoder.readSecret(limit: largestItemSecret)
    self.init(
      query: query, changes: changes, allowsSeveral: allowsSeveral, replacesSecret: replacesSecret,
      secret: secret)
  }
}

/// Removes the items a query names, without a prompt. Reply: ``ItemsChanged``. Failures:
/// `errSecItemNotFound`, `ambiguous`.
package struct RemoveItems: EngineMessage, Equatable {
  package static var number: UInt8 { 47 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { ItemsChanged.number }
  package let query: ItemQuery
  /// Several matches are `ambiguous` unless this is set.
  package let allowsSeveral: Bool
  package init(query: ItemQuery, allowsSeveral: Bool) {
    self.query = query
    self.allowsSeveral = allowsSeveral
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(query, allowsSeveral)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (query, allowsSeveral) = try decoder.read()
  }
}

/// Lets another application find and open the one item a query names, or no longer; it can neither
/// change nor remove it, nor share it in turn. Only the application whose own the item is may ask,
/// and where a passcode is set the owner is asked for presence; nobody is for ending it. Reply:
/// ``ItemAdded``, the item as it is from here on, or ``EvidenceNeeded``. Failures: as ``GetItem``;
/// `errSecParam` (an application that is none, or the one that asks; an item of a group that is
/// shared already; more than ``ItemAttributes/mostShares``); `errSecItemNotFound` also where what is
/// to end was not shared.
package struct ShareItem: EngineMessage, Equatable {
  package static var number: UInt8 { 100 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { ItemAdded.number }
  package let query: ItemQuery
  /// As the core names it: the canonical path of its executable.
  package let application: String
  /// False: it is shared no longer.
  package let isShared: Bool
  package init(query: ItemQuery, application: String, isShared: Bool) {
    self.query = query
    self.application = application
    self.isShared = isShared
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(query, application, isShared)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (query, application, isShared) = try decoder.read()
    try decoder.require(application, atMost: longestApplication)
  }
}

/// How many items were changed or removed.
package struct ItemsChanged: WireMessage, Equatable {
  package static var number: UInt8 { 48 }
  package let count: UInt32
  package init(count: UInt32) { self.count = count }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(count) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { count = try decoder.read() }
}
