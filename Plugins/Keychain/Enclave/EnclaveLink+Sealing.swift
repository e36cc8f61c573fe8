import Protocol

/// An item to be sealed, and where among the secrets of all its own lies.
struct UnsealedItem {
  let identifier: [UInt8]
  let attributes: ItemAttributes
  let secret: Range<Int>
}

extension EnclaveLink {
  /// Most bytes of items in one message, which holds their secrets and so is to lie in locked
  /// memory (`SecretArena.largestBlock`) on its whole way.
  private static let sealingBytes = 96 << 10

  /// Has items sealed and hashed, in as few messages as may be: in the order of their secrets, each
  /// of the group that its attributes name. A message ends where a secret does not begin at the end
  /// of the one before, as behind an item that was refused. As many results as there are items.
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

  /// Sends one message.
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
          .success(SealedRow(name: name, attributes: item.attributes, sealedSecret: item.secret)))
      case .failed(let failure): results.append(.failure(failure))
      }
    }
    return results
  }
}

extension EnclaveLink {
  /// What came of sealing items for a backup.
  enum BackupSealing {
    /// As many results as there were items; a value is a record.
    case records([AttributeBatch.Result])
    case evidenceNeeded(EvidenceNeeded)
  }

  /// Has items sealed as the next records of the context's backup. Asked for none, too: the enclave
  /// says whether there is a backup.
  func sealForBackup(_ items: [StoredItemEntry]) throws(Failure) -> BackupSealing {
    let size = items.reduce(64) { $0 + $1.attributes.count + $1.content.count + 96 }
    let reply = try call(SealForBackup(items: items).encoded(capacity: size))
    if Self.kind(of: reply) == EvidenceNeeded.number { return .evidenceNeeded(try decode(reply)) }
    let batch: AttributeBatch = try decode(reply)
    guard batch.results.count == items.count else { throw Self.mismatch }
    return .records(batch.results)
  }

  /// What a record holds that the keychain may see.
  struct OpenedRecord {
    /// Nil for those of no version that is known.
    let attributes: ItemAttributes?
    /// DER, where that is what it holds.
    let certificate: [UInt8]?
  }

  /// Has records opened, the first of which is number `first`.
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

  /// Has records sealed for this device; as many results as there are entries.
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

  /// What the last record says, which is number `place`.
  func openBackupEnd(_ record: [UInt8], at place: UInt64) throws(Failure) -> BackupCounts {
    let summary: BackupSummary = try decode(
      call(OpenBackupEnd(place: place, record: record).encoded()))
    return summary.counts
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
    return SealedRow(name: name, attributes: sealedAttributes, sealedSecret: body)
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
