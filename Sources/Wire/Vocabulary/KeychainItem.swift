/// The kinds of keychain item (`kSecClass…`).
package enum ItemClass: UInt8, CaseIterable, Sendable {
  case generic = 1
  case internet = 2
  case certificate = 3
  case key = 4
  case note = 5

  /// As `--class` takes it.
  package var name: String { "\(self)" }

  /// The class with this name.
  package init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// Reads the raw value.
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    guard let value = ItemClass(rawValue: try decoder.readByte()) else {
      throw .invalidValue(field: "item class")
    }
    self = value
  }
}

/// What describes an item: everything but its secret.
package struct ItemAttributes: Equatable, Sendable {
  /// 32 hexadecimal digits; empty before the keychain has given one.
  package var identifier = ""
  package var itemClass = ItemClass.generic
  package var service = ""
  package var account = ""
  package var label = ""
  package var accessibility = Accessibility.whenUnlocked
  package var accessControl: AccessControl?
  /// Seconds since 1970; 0 before the keychain has set them.
  package var createdAt: Int64 = 0
  package var modifiedAt: Int64 = 0

  /// The longest text of one attribute, in bytes.
  package static let longestText = 1024

  /// An item without a name.
  package init() {}

  package func encode(into encoder: inout WireEncoder) {
    encoder.writeText(identifier)
    encoder.writeByte(itemClass.rawValue)
    encoder.writeText(service)
    encoder.writeText(account)
    encoder.writeText(label)
    encoder.writeByte(accessibility.rawValue)
    encoder.writeOptional(accessControl) { $1.encode(into: &$0) }
    encoder.writeUInt64(UInt64(bitPattern: createdAt))
    encoder.writeUInt64(UInt64(bitPattern: modifiedAt))
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    identifier = try decoder.readText(limit: 64)
    itemClass = try ItemClass(from: &decoder)
    service = try decoder.readText(limit: Self.longestText)
    account = try decoder.readText(limit: Self.longestText)
    label = try decoder.readText(limit: Self.longestText)
    accessibility = try Accessibility(from: &decoder)
    accessControl = try decoder.readOptional { (decoder) throws(DecodeError) in
      try AccessControl(from: &decoder)
    }
    createdAt = Int64(bitPattern: try decoder.readUInt64())
    modifiedAt = Int64(bitPattern: try decoder.readUInt64())
  }
}

/// Which items are meant: those that have every attribute given here.
package struct ItemQuery: Equatable, Sendable {
  package var itemClass: ItemClass?
  package var service: String?
  package var account: String?
  package var label: String?

  /// Every item.
  package init() {}

  package func encode(into encoder: inout WireEncoder) {
    encoder.writeOptional(itemClass) { $0.writeByte($1.rawValue) }
    for text in [service, account, label] { encoder.writeOptional(text) { $0.writeText($1) } }
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    itemClass = try decoder.readOptional { (decoder) throws(DecodeError) in
      try ItemClass(from: &decoder)
    }
    func text(_ decoder: inout WireDecoder) throws(DecodeError) -> String? {
      try decoder.readOptional { (decoder) throws(DecodeError) in
        try decoder.readText(limit: ItemAttributes.longestText)
      }
    }
    service = try text(&decoder)
    account = try text(&decoder)
    label = try text(&decoder)
  }
}

/// What `item update` changes; nil leaves as it is.
package struct ItemChanges: Equatable, Sendable {
  package var service: String?
  package var account: String?
  package var label: String?

  /// No change.
  package init() {}

  package func encode(into encoder: inout WireEncoder) {
    for text in [service, account, label] { encoder.writeOptional(text) { $0.writeText($1) } }
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    func text(_ decoder: inout WireDecoder) throws(DecodeError) -> String? {
      try decoder.readOptional { (decoder) throws(DecodeError) in
        try decoder.readText(limit: ItemAttributes.longestText)
      }
    }
    service = try text(&decoder)
    account = try text(&decoder)
    label = try text(&decoder)
  }
}
