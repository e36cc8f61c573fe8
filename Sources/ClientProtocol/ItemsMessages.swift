package import Wire

/// Adds an item. Reply: ``ItemAdded``. No prompt.
package struct AddItem: WireMessage, ~Copyable {
  package static var number: UInt8 { 40 }

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
    let secret = try decoder.readSecret(limit: 48 << 10)
    self.init(attributes: attributes, secret: secret)
  }
}

/// The item as it is stored.
package struct ItemAdded: WireMessage, Equatable {
  package static var number: UInt8 { 41 }

  package let attributes: ItemAttributes

  package init(attributes: ItemAttributes) {
    self.attributes = attributes
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    attributes.encode(into: &encoder)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    attributes = try ItemAttributes(from: &decoder)
  }
}

/// Finds items by attributes. Reply: ``FoundItems``. No prompt.
package struct FindItems: WireMessage, Equatable {
  package static var number: UInt8 { 42 }

  package let query: ItemQuery

  package init(query: ItemQuery) {
    self.query = query
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    query.encode(into: &encoder)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    query = try ItemQuery(from: &decoder)
  }
}

/// Items without their secrets, oldest first.
package struct FoundItems: WireMessage, Equatable {
  package static var number: UInt8 { 43 }

  package let items: [ItemAttributes]

  package init(items: [ItemAttributes]) {
    self.items = items
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeArray(items) { $1.encode(into: &$0) }
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    items = try decoder.readArray(limit: 200_000, elementSize: 38) {
      (decoder) throws(DecodeError) in try ItemAttributes(from: &decoder)
    }
  }
}

/// Opens one item. Reply: ``GotItem``.
package struct GetItem: WireMessage, Equatable {
  package static var number: UInt8 { 44 }

  package let query: ItemQuery
  package let options: PromptOptions

  package init(query: ItemQuery, options: PromptOptions) {
    self.query = query
    self.options = options
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    query.encode(into: &encoder)
    options.encode(into: &encoder)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    query = try ItemQuery(from: &decoder)
    options = try PromptOptions(from: &decoder)
  }
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
    attributes.encode(into: &encoder)
    encoder.writeSecret(secret)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let attributes = try ItemAttributes(from: &decoder)
    let secret = try decoder.readSecret(limit: 48 << 10)
    self.init(attributes: attributes, secret: secret)
  }
}

/// Changes items. Reply: ``ItemsChanged``.
package struct UpdateItems: WireMessage, ~Copyable {
  package static var number: UInt8 { 46 }

  package let query: ItemQuery
  package let changes: ItemChanges
  package let allowsSeveral: Bool
  package let replacesSecret: Bool
  /// Empty where the secret stays.
  package let secret: SecretBytes
  package let options: PromptOptions

  package init(
    query: ItemQuery, changes: ItemChanges, allowsSeveral: Bool, replacesSecret: Bool,
    secret: consuming SecretBytes, options: PromptOptions
  ) {
    self.query = query
    self.changes = changes
    self.allowsSeveral = allowsSeveral
    self.replacesSecret = replacesSecret
    self.secret = secret
    self.options = options
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    query.encode(into: &encoder)
    changes.encode(into: &encoder)
    encoder.writeBoolean(allowsSeveral)
    encoder.writeBoolean(replacesSecret)
    encoder.writeSecret(secret)
    options.encode(into: &encoder)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let query = try ItemQuery(from: &decoder)
    let changes = try ItemChanges(from: &decoder)
    let allowsSeveral = try decoder.readBoolean()
    let replacesSecret = try decoder.readBoolean()
    let secret = try decoder.readSecret(limit: 48 << 10)
    let options = try PromptOptions(from: &decoder)
    self.init(
      query: query, changes: changes, allowsSeveral: allowsSeveral, replacesSecret: replacesSecret,
      secret: secret, options: options)
  }
}

/// Removes items. Reply: ``ItemsChanged``. No prompt.
package struct RemoveItems: WireMessage, Equatable {
  package static var number: UInt8 { 47 }

  package let query: ItemQuery
  package let allowsSeveral: Bool

  package init(query: ItemQuery, allowsSeveral: Bool) {
    self.query = query
    self.allowsSeveral = allowsSeveral
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    query.encode(into: &encoder)
    encoder.writeBoolean(allowsSeveral)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    query = try ItemQuery(from: &decoder)
    allowsSeveral = try decoder.readBoolean()
  }
}

/// How many items were changed or removed.
package struct ItemsChanged: WireMessage, Equatable {
  package static var number: UInt8 { 48 }

  package let count: UInt32

  package init(count: UInt32) {
    self.count = count
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt32(count)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    count = try decoder.readUInt32()
  }
}
