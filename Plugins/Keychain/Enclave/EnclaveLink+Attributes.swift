import Protocol

extension EnclaveLink {
  enum Opened<Attributes: StoredAttributes> {
    case value(Attributes)
    case closed
    case damaged
    /// Sealed beside a later keybag than the enclave has.
    case newer
  }

  typealias OpenedAttributes = Opened<ItemAttributes>

  /// Bytes of attributes in one message, far below the mailbox's limit (AC_ENGINE_MAX_MESSAGE).
  private static let batchBytes = 8 << 20

  /// Seals attributes, each under its identity.
  func sealAttributes(
    _ items: [(attributes: ItemAttributes, identity: [UInt8])]
  ) throws(Failure) -> [[UInt8]] {
    try seal(
      items.map { attributes, identity in
        AttributesEntry(
          accessibility: attributes.accessibility, identity: identity,
          bytes: Self.encoded(attributes))
      })
  }

  func sealAttributes(of key: EnclaveKey, identity: [UInt8]) throws(Failure) -> [UInt8] {
    let entry = AttributesEntry(
      accessibility: key.accessibility, identity: identity, bytes: Self.encoded(key))
    guard let sealed = try seal([entry]).first else { throw Self.mismatch }
    return sealed
  }

  private func seal(_ entries: [AttributesEntry]) throws(Failure) -> [[UInt8]] {
    let results = try batched(entries) { SealAttributes(entries: $0).encoded(capacity: $1) }
    var sealed: [[UInt8]] = []
    for result in results {
      guard case .value(let bytes) = result else { throw Self.mismatch }
      sealed.append(bytes)
    }
    return sealed
  }

  /// Opens the attributes of rows. A row without a protection is damaged, and left out: the enclave
  /// would refuse the whole batch.
  func openAttributes(of rows: [NamedRow]) throws(Failure) -> [OpenedAttributes] {
    try open(rows.map { named in named.protection.map { ($0, named.row.sealedAttributes) } })
  }

  func openAttributes(of rows: [KeyRow]) throws(Failure) -> [Opened<EnclaveKey>] {
    try open(rows.map { row in row.protection.map { ($0, row.sealedAttributes) } })
  }

  private func open<Attributes>(
    _ rows: [(protection: ItemProtection, sealed: [UInt8])?]
  ) throws(Failure) -> [Opened<Attributes>] {
    let entries = rows.compactMap(\.self).map {
      AttributesEntry($0.protection, bytes: $0.sealed)
    }
    var results = try batched(entries) {
      OpenAttributes(entries: $0).encoded(capacity: $1)
    }.makeIterator()
    return rows.map { $0 == nil ? .damaged : Self.result(results.next() ?? .damaged) }
  }

  /// Whether a class is closed that an item could have: `named`, if a query names one. The class of
  /// `when-unlocked` is closed whenever any is. Probes with an empty entry, which is damaged if the
  /// class is open.
  func isAClassClosed(of named: Accessibility? = nil) throws(Failure) -> Bool {
    let probe = AttributesEntry(accessibility: named ?? .whenUnlocked, identity: [], bytes: [])
    let batch: AttributeBatch = try decode(call(OpenAttributes(entries: [probe]).encoded()))
    return batch.results == [.closed]
  }

  static func result<Attributes>(_ result: AttributeBatch.Result) -> Opened<Attributes> {
    switch result {
    case .value(let bytes): attributes(in: bytes).map { .value($0) } ?? .damaged
    case .closed: .closed
    case .damaged: .damaged
    case .newer: .newer
    }
  }

  /// Sends entries in as few messages as possible; one result for each entry.
  private func batched(
    _ entries: [AttributesEntry], _ encode: ([AttributesEntry], Int) -> SecretBytes
  ) throws(Failure) -> [AttributeBatch.Result] {
    var results: [AttributeBatch.Result] = []
    results.reserveCapacity(entries.count)
    var start = 0
    while start < entries.count {
      var end = start
      var size = 0
      while end < entries.count, end - start < largestBatch, size < Self.batchBytes {
        size += entries[end].bytes.count + entries[end].identity.count + 9
        end += 1
      }
      let batch: AttributeBatch = try decode(call(encode(Array(entries[start..<end]), size + 64)))
      guard batch.results.count == end - start else { throw Self.mismatch }
      results += batch.results
      start = end
    }
    return results
  }

  static func encoded(_ attributes: some StoredAttributes) -> [UInt8] {
    var encoder = WireEncoder(capacity: 256)
    attributes.store(into: &encoder)
    return encoder.finishPlain()
  }

  private static func attributes<Attributes: StoredAttributes>(in bytes: [UInt8]) -> Attributes? {
    do throws(DecodeError) {
      var decoder = WireDecoder(bytes.span)
      let attributes = try Attributes(stored: &decoder, first: bytes.first ?? 0)
      try decoder.finish()
      return attributes
    } catch {
      return nil
    }
  }
}

/// Attributes in the form that is sealed for the database, which also holds forms of earlier
/// versions.
protocol StoredAttributes: Sendable {
  func store(into encoder: inout WireEncoder)
  /// Reads any form; the `first` byte tells which.
  init(stored decoder: inout WireDecoder, first: UInt8) throws(DecodeError)
}

extension ItemAttributes: StoredAttributes {
  /// Version 1 begins with the length of a text, whose first byte is 0.
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

  /// An item of version 1, which had only generic items and no groups.
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
  /// Version 1 begins like that of an item.
  private static let version: UInt8 = 2

  /// Leaves out the application label, which follows from the public key.
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
    // Version 1 has only a name.
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

extension AttributesEntry {
  /// An entry under the class and identity of a protection.
  init(_ protection: ItemProtection, bytes: [UInt8]) {
    self.init(
      accessibility: protection.accessibility, identity: protection.identity, bytes: bytes)
  }
}
