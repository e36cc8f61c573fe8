import Protocol

/// An item to be sealed, and where its secret lies among those of all items.
struct UnsealedItem {
  let identifier: [UInt8]
  let attributes: ItemAttributes
  let secret: Range<Int>
}

extension EnclaveLink {
  /// Bytes of items in one message, which holds secrets and so has to fit into locked memory
  /// (`SecretArena.largestBlock`).
  private static let sealingBytes = 96 << 10

  /// Seals and hashes items in as few messages as possible; one result for each item. A message
  /// ends where a secret does not follow the one before, as behind an item that was refused.
  func seal(
    _ items: [UnsealedItem], _ secrets: Span<UInt8>
  ) throws(Failure) -> [Result<SealedRow, Failure>] {
    var results: [Result<SealedRow, Failure>] = []
    results.reserveCapacity(items.count)
    var batch: [SealItems.Item] = []
    var size = 0
    for (index, item) in items.enumerated() {
      let entry = SealItems.Item(
        protection: Self.protection(of: item.attributes, item.identifier),
        names: names(of: item.attributes, in: item.attributes.group),
        attributes: Self.encoded(item.attributes), secretCount: UInt32(item.secret.count))
      let isNext = index == 0 || items[index - 1].secret.upperBound == item.secret.lowerBound
      if !batch.isEmpty, !isNext || size + entry.size > Self.sealingBytes {
        results += try seal(batch, secrets, of: items[results.count..<index])
        (batch, size) = ([], 0)
      }
      batch.append(entry)
      size += entry.size
    }
    if !batch.isEmpty { results += try seal(batch, secrets, of: items[results.count...]) }
    return results
  }

  private func seal(
    _ batch: [SealItems.Item], _ secrets: Span<UInt8>, of items: ArraySlice<UnsealedItem>
  ) throws(Failure) -> [Result<SealedRow, Failure>] {
    let request = SealItems(
      names: [Self.identifyingName], items: batch,
      secrets: secrets.extracting(
        (items.first?.secret.lowerBound ?? 0)..<(items.last?.secret.upperBound ?? 0)))
    let reply: SealedItems = try decode(call(request.encoded()))
    guard reply.results.count == batch.count, try withoutIdentity(reply.hashes).isEmpty else {
      throw Self.mismatch
    }
    var results: [Result<SealedRow, Failure>] = []
    for result in reply.results {
      switch result {
      case .sealed(let item):
        guard let name = HashedName(hashes: item.hashes) else { throw Self.mismatch }
        results.append(
          .success(
            SealedRow(name: name, attributes: item.attributes, sealedSecret: item.sealedSecret)))
      case .failed(let failure): results.append(.failure(failure))
      }
    }
    return results
  }
}

extension EnclaveLink {
  enum BackupSealing {
    /// One result for each item; a value is a record.
    case records([AttributeBatch.Result])
    case evidenceNeeded(EvidenceNeeded)
  }

  /// Seals items as the next records of the context's backup. Called without items too: the enclave
  /// says if there is a backup.
  func sealForBackup(_ items: [StoredItemEntry]) throws(Failure) -> BackupSealing {
    let size = items.reduce(64) { $0 + $1.attributes.count + $1.content.count + 96 }
    let reply = try call(SealForBackup(items: items).encoded(capacity: size))
    if Self.kind(of: reply) == EvidenceNeeded.number { return .evidenceNeeded(try decode(reply)) }
    let batch: AttributeBatch = try decode(reply)
    guard batch.results.count == items.count else { throw Self.mismatch }
    return .records(batch.results)
  }

  /// The part of a record that the keychain may see.
  struct OpenedRecord {
    /// Nil if their version is unknown.
    let attributes: ItemAttributes?
    /// DER, of a certificate.
    let certificate: [UInt8]?
  }

  /// Opens records, the first of which is number `first`.
  func openFromBackup(
    _ records: [SealedRecord], from first: UInt64
  ) throws(Failure) -> [OpenedRecord] {
    let size = records.reduce(64) { $0 + $1.bytes.count + 5 }
    let opened: OpenedFromBackup = try decode(
      call(OpenFromBackup(first: first, records: records).encoded(capacity: size)))
    guard opened.items.count == records.count else { throw Self.mismatch }
    return opened.items.map { item in
      let attributes: OpenedAttributes = Self.result(.value(item.attributes))
      return if case .value(let attributes) = attributes {
        OpenedRecord(attributes: attributes, certificate: item.certificate)
      } else {
        OpenedRecord(attributes: nil, certificate: item.certificate)
      }
    }
  }

  /// Seals records for this device; one result for each entry.
  func sealFromBackup(
    _ entries: [RestoredEntry]
  ) throws(Failure) -> [SealedFromBackup.Item] {
    guard !entries.isEmpty else { return [] }
    let size = entries.reduce(64) { $0 + $1.record.bytes.count + $1.attributes.count + 128 }
    let reply: SealedFromBackup = try decode(
      call(SealFromBackup(entries: entries).encoded(capacity: size)))
    guard reply.items.count == entries.count else { throw Self.mismatch }
    return reply.items
  }

  /// Opens the last record, number `place`.
  func openBackupEnd(_ record: [UInt8], at place: UInt64) throws(Failure) -> BackupCounts {
    let summary: BackupSummary = try decode(
      call(OpenBackupEnd(place: place, record: record).encoded()))
    return summary.counts
  }
}

extension EnclaveLink {
  /// Seals a certificate and its attributes.
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
    return SealedRow(name: name, attributes: sealedAttributes, sealedSecret: body)
  }

  func openCertificate(
    _ sealed: [UInt8], as protection: ItemProtection
  ) throws(Failure) -> AttributeBatch.Result {
    let entry = AttributesEntry(protection, bytes: sealed)
    let opened: AttributeBatch = try decode(
      call(OpenCertificates(entries: [entry]).encoded(capacity: sealed.count + 256)))
    guard let result = opened.results.first, opened.results.count == 1 else { throw Self.mismatch }
    return result
  }
}

extension EnclaveLink {
  func generateKey(_ protection: ItemProtection) throws(Failure) -> GeneratedKey {
    try decode(call(GenerateKey(protection: protection).encoded()))
  }

  /// Uses a private key. The result goes to the application as it is; missing evidence, with the
  /// key's name.
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
    return needed.naming(request.query.name).encoded()
  }
}
