import Protocol

extension EnclaveLink {
  /// What became of one row's attributes.
  enum Opened<Attributes: StoredAttributes> {
    case value(Attributes)
    case closed
    case damaged
    /// Sealed beside a later keybag of the enclave's than the one it has.
    case newer
  }

  /// What became of an item's attributes.
  typealias OpenedAttributes = Opened<ItemAttributes>

  /// Most bytes of attributes in one message, well below the limit of the mailbox
  /// (AC_ENGINE_MAX_MESSAGE).
  private static let batchBytes = 8 << 20

  /// Seals attributes, each under its identity; as many results as there are items.
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

  /// Seals the attributes of a key under its identity.
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

  /// Opens the attributes of rows, each under the identity of its protection; as many results as
  /// there are rows. A row without a protection is damaged: what a batch may not hold would have
  /// the enclave refuse all of it.
  func openAttributes(
    of rows: [(row: ItemRow, protection: ItemProtection?)]
  ) throws(Failure) -> [OpenedAttributes] {
    try open(rows.map { row, protection in protection.map { ($0, row.sealedAttributes) } })
  }

  /// Opens the attributes of keys; as many results as there are rows.
  func openAttributes(of rows: [KeyRow]) throws(Failure) -> [Opened<EnclaveKey>] {
    try open(rows.map { row in row.protection.map { ($0, row.sealedAttributes) } })
  }

  private func open<Attributes>(
    _ rows: [(protection: ItemProtection, sealed: [UInt8])?]
  ) throws(Failure) -> [Opened<Attributes>] {
    let entries = rows.compactMap(\.self).map {
      AttributesEntry(
        accessibility: $0.protection.accessibility, identity: $0.protection.identity,
        bytes: $0.sealed)
    }
    var results = try batched(entries) {
      OpenAttributes(entries: $0).encoded(capacity: $1)
    }.makeIterator()
    return rows.map { $0 == nil ? .damaged : Self.result(results.next() ?? .damaged) }
  }

  /// Whether a class is closed that an item could have: `named`, where a query names one. The class of
  /// `when-unlocked` is closed whenever any is; an entry without attributes asks for it, which is
  /// damaged where the class is open.
  func isAClassClosed(of named: Accessibility? = nil) throws(Failure) -> Bool {
    let probe = AttributesEntry(accessibility: named ?? .whenUnlocked, identity: [], bytes: [])
    let batch: AttributeBatch = try decode(call(OpenAttributes(entries: [probe]).encoded()))
    return batch.results == [.closed]
  }

  /// Reads one result of the enclave's.
  static func result<Attributes>(_ result: AttributeBatch.Result) -> Opened<Attributes> {
    switch result {
    case .value(let bytes): attributes(in: bytes).map { .value($0) } ?? .damaged
    case .closed: .closed
    case .damaged: .damaged
    case .newer: .newer
    }
  }

  /// Sends entries in as few messages as may be; as many results as there are entries.
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

extension EnclaveLink {
  /// Has a certificate sealed with its attributes, in the group that these name, and hashed.
  func seal(
    certificate: [UInt8], _ attributes: ItemAttributes, identifier: [UInt8]
  ) throws(Failure) -> SealedRow {
    guard let name = try hashes(of: [attributes], in: attributes.group).first else {
      throw Self.mismatch
    }
    let identity = ItemRow.identity(
      identifier, itemClass: attributes.itemClass, group: name.group)
    let entry = AttributesEntry(
      accessibility: attributes.accessibility, identity: identity, bytes: certificate)
    let sealed: AttributeBatch = try decode(
      call(SealCertificates(entries: [entry]).encoded(capacity: certificate.count + 256)))
    guard case .value(let body)? = sealed.results.first, sealed.results.count == 1,
      let sealedAttributes = try sealAttributes([(attributes, identity)]).first
    else { throw Self.mismatch }
    return SealedRow(name: name, attributes: sealedAttributes, secret: body)
  }

  func openCertificate(
    _ sealed: [UInt8], as protection: ItemProtection
  ) throws(Failure) -> AttributeBatch.Result {
    let entry = AttributesEntry(
      accessibility: protection.accessibility, identity: protection.identity, bytes: sealed)
    let opened: AttributeBatch = try decode(
      call(OpenCertificates(entries: [entry]).encoded(capacity: sealed.count + 256)))
    guard let result = opened.results.first, opened.results.count == 1 else { throw Self.mismatch }
    return result
  }
}

extension EnclaveLink {
  /// Has a private key made.
  func generateKey(_ protection: ItemProtection) throws(Failure) -> GeneratedKey {
    try decode(call(GenerateKey(protection: protection).encoded()))
  }

  /// Uses a private key; what came of it goes to the application as it is, what the context lacks with
  /// the key's name.
  func use(
    _ sealed: [UInt8], as protection: ItemProtection, for request: UseKey
  ) throws(Failure) -> SecretBytes {
    let capacity = sealed.count + request.input.count + 512
    let reply = try call(
      UseSealedKey(
        protection: protection, sealed: sealed, operation: request.operation, input: request.input
      ).encoded(capacity: capacity))
    guard Self.kind(of: reply) == EvidenceNeeded.number else { return reply }
    let needed: EvidenceNeeded = try decode(reply)
    // The name by which it was found.
    return needed.naming(request.query.name).encoded()
  }
}
