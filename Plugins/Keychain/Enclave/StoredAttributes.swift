import Protocol

/// Attributes as they are sealed for the database, where those of earlier versions lie too.
protocol StoredAttributes: Sendable {
  /// Writes them in the form of this version.
  func store(into encoder: inout WireEncoder)
  /// Reads them in any form; `first` is the first byte, which tells the form.
  init(stored decoder: inout WireDecoder, first: UInt8) throws(DecodeError)
}

extension ItemAttributes: StoredAttributes {
  /// The form of this version. Those of before begin with the length of a text, whose first byte is
  /// 0.
  private static let version: UInt8 = 2

  func store(into encoder: inout WireEncoder) {
    encoder.write(Self.version, self)
  }

  init(stored decoder: inout WireDecoder, first: UInt8) throws(DecodeError) {
    guard first != 0 else {
      self = try Self.genericItem(from: &decoder)
      return
    }
    guard try decoder.readByte() == Self.version else {
      throw .invalidValue(field: "version of attributes")
    }
    try self.init(from: &decoder)
  }

  /// An item of when there were generic ones alone, and no groups.
  private static func genericItem(from decoder: inout WireDecoder) throws(DecodeError) -> Self {
    var item = ItemAttributes()
    let (service, account, label): (String, String, String)
    (item.identifier, item.itemClass, service, account, label) = try decoder.read()
    (item.service, item.account, item.label) = (service, account, label)
    (item.accessibility, item.accessControl, item.createdAt, item.modifiedAt) =
      try decoder.read()
    return item
  }
}

extension EnclaveKey: StoredAttributes {
  /// The form of this version; that of before begins as an item's of before.
  private static let version: UInt8 = 2

  /// Without the application label, which follows from the public key.
  func store(into encoder: inout WireEncoder) {
    encoder.write(Self.version, identifier, name, applicationTag, label, group)
    encoder.write(accessibility, accessControl, createdAt, publicKey)
  }

  init(stored decoder: inout WireDecoder, first: UInt8) throws(DecodeError) {
    let isNamed = first == 0
    if !isNamed, try decoder.readByte() != Self.version {
      throw .invalidValue(field: "version of attributes")
    }
    let (identifier, name): (String, String) = try decoder.read()
    // Keys of before have a name and no more.
    let (tag, label, group): ([UInt8], String, String) =
      isNamed ? ([], "", "") : try decoder.read()
    let (accessibility, accessControl): (Accessibility, AccessControl?) = try decoder.read()
    let (createdAt, publicKey): (Int64, [UInt8]) = try decoder.read()
    self.init(
      identifier: identifier, name: name, accessibility: accessibility,
      accessControl: accessControl, createdAt: createdAt, publicKey: publicKey)
    (applicationTag, self.label, self.group) = (tag, label, group)
  }
}
