package import Wire

// In every request `application` is whose items are meant: the core's word, from the kernel's credentials of the client (K2).
// The keychain reaches the enclave by the service enclave/1, with the `context` it was given.

/// The longest name of an application, in bytes.
package let longestApplication = 512

/// Adds an item. Reply: ``ItemAdded``. Failures: `errSecDuplicateItem`, `errSecParam`, and the enclave's of ``SealItem``.
/// With access control the class becomes the one of this device only.
package struct AddItem: WireMessage, ~Copyable {
  package static var number: UInt8 { 2 }
  package let application: String
  /// Identifier and times are ignored.
  package let attributes: ItemAttributes
  package let secret: SecretBytes
  package init(application: String, attributes: ItemAttributes, secret: consuming SecretBytes) {
    self.application = application
    self.attributes = attributes
    self.secret = secret
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeText(application)
    attributes.encode(into: &encoder)
    encoder.writeSecret(secret)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let application = try decoder.readText(limit: longestApplication)
    let attributes = try ItemAttributes(from: &decoder)
    let secret = try decoder.readSecret(limit: largestItemSecret)
    self.init(application: application, attributes: attributes, secret: secret)
  }
}

/// The item as it is stored.
package struct ItemAdded: WireMessage, Equatable {
  package static var number: UInt8 { 3 }
  package let attributes: ItemAttributes
  package init(attributes: ItemAttributes) { self.attributes = attributes }
  package borrowing func encode(into encoder: inout WireEncoder) {
    attributes.encode(into: &encoder)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    attributes = try ItemAttributes(from: &decoder)
  }
}

/// Finds items by attributes. Reply: ``FoundItems``. Failures: `errSecItemNotFound`;
/// `errSecInteractionNotAllowed` while a class is closed and no open item matches, whether or not a
/// closed one does; `stateDamaged` where all are newer than the enclave's keybag.
package struct FindItems: WireMessage {
  package static var number: UInt8 { 4 }
  package let application: String
  package let query: ItemQuery
  package init(application: String, query: ItemQuery) {
    self.application = application
    self.query = query
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeText(application)
    query.encode(into: &encoder)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    application = try decoder.readText(limit: longestApplication)
    query = try ItemQuery(from: &decoder)
  }
}

/// Items without their secrets, oldest first.
package struct FoundItems: WireMessage, Equatable {
  package static var number: UInt8 { 5 }
  package let items: [ItemAttributes]
  package init(items: [ItemAttributes]) { self.items = items }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeArray(items) { $1.encode(into: &$0) }
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    items = try decoder.readArray(limit: 200_000, elementSize: 38) {
      (decoder) throws(DecodeError) in try ItemAttributes(from: &decoder)
    }
  }
}

/// Opens the one item a query names, against the evidence of a context. Reply: ``GotItem`` or ``EvidenceNeeded``.
/// Failures: `errSecItemNotFound`, `ambiguous` (several match; the message lists them), the enclave's of ``OpenItem``.
package struct GetItem: WireMessage {
  package static var number: UInt8 { 6 }
  package let application: String
  package let context: UInt64
  package let query: ItemQuery
  package init(application: String, context: UInt64, query: ItemQuery) {
    self.application = application
    self.context = context
    self.query = query
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeText(application)
    encoder.writeUInt64(context)
    query.encode(into: &encoder)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    application = try decoder.readText(limit: longestApplication)
    context = try decoder.readUInt64()
    query = try ItemQuery(from: &decoder)
  }
}

/// An item and its secret.
package struct GotItem: WireMessage, ~Copyable {
  package static var number: UInt8 { 7 }
  package let attributes: ItemAttributes
  package let secret: SecretBytes
  package init(attributes: ItemAttributes, secret: consuming SecretBytes) {
    self.attributes = attributes
    self.secret = secret
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    attributes.encode(into: &encoder)
    encoder.writeSecret(secret)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let attributes = try ItemAttributes(from: &decoder)
    let secret = try decoder.readSecret(limit: largestItemSecret)
    self.init(attributes: attributes, secret: secret)
  }
}

/// Changes the items a query names. Reply: ``ItemsChanged``, or ``EvidenceNeeded`` for the first protected item the context does not
/// open; then nothing has been changed. Failures: as ``GetItem``, and `errSecDuplicateItem`.
package struct UpdateItems: WireMessage, ~Copyable {
  package static var number: UInt8 { 8 }
  package let application: String
  package let context: UInt64
  package let query: ItemQuery
  package let changes: ItemChanges
  /// Several matches are `ambiguous` unless this is set.
  package let allowsSeveral: Bool
  /// Whether `secret` replaces the item's.
  package let replacesSecret: Bool
  /// Empty where the secret stays.
  package let secret: SecretBytes
  package init(
    application: String, context: UInt64, query: ItemQuery, changes: ItemChanges,
    allowsSeveral: Bool, replacesSecret: Bool, secret: consuming SecretBytes
  ) {
    self.application = application
    self.context = context
    self.query = query
    self.changes = changes
    self.allowsSeveral = allowsSeveral
    self.replacesSecret = replacesSecret
    self.secret = secret
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeText(application)
    encoder.writeUInt64(context)
    query.encode(into: &encoder)
    changes.encode(into: &encoder)
    encoder.writeBoolean(allowsSeveral)
    encoder.writeBoolean(replacesSecret)
    encoder.writeSecret(secret)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let application = try decoder.readText(limit: longestApplication)
    let context = try decoder.readUInt64()
    let query = try ItemQuery(from: &decoder)
    let changes = try ItemChanges(from: &decoder)
    let allowsSeveral = try decoder.readBoolean()
    let replacesSecret = try decoder.readBoolean()
    let secret = try decoder.readSecret(limit: largestItemSecret)
    self.init(
      application: application, context: context, query: query, changes: changes,
      allowsSeveral: allowsSeveral, replacesSecret: replacesSecret, secret: secret)
  }
}

/// Removes the items a query names, which must name something; needs no authentication. Reply:
/// ``ItemsChanged``. Failures: as ``FindItems``, and `ambiguous`, `errSecParam`;
/// `errSecInteractionNotAllowed` also where one of several is closed.
package struct RemoveItems: WireMessage {
  package static var number: UInt8 { 9 }
  package let application: String
  package let query: ItemQuery
  package let allowsSeveral: Bool
  package init(application: String, query: ItemQuery, allowsSeveral: Bool) {
    self.application = application
    self.query = query
    self.allowsSeveral = allowsSeveral
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeText(application)
    query.encode(into: &encoder)
    encoder.writeBoolean(allowsSeveral)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    application = try decoder.readText(limit: longestApplication)
    query = try ItemQuery(from: &decoder)
    allowsSeveral = try decoder.readBoolean()
  }
}

/// Removes the rows that went with the passcode: the `when-passcode-set` class and every item with access control, of all
/// applications. Reply: ``ItemsChanged``.
package struct RemovePasscodeBoundItems: WireMessage {
  package static var number: UInt8 { 10 }
  package init() {}
  package borrowing func encode(into encoder: inout WireEncoder) {}
  package init(from decoder: inout WireDecoder) throws(DecodeError) {}
}

/// How many items were changed or removed.
package struct ItemsChanged: WireMessage, Equatable {
  package static var number: UInt8 { 11 }
  package let count: UInt32
  package init(count: UInt32) { self.count = count }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeUInt32(count) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    count = try decoder.readUInt32()
  }
}
