import Protocol

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
