import EngineKit
import Wire

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
    let size = items.reduce(64) { $0 + $1.attributes.count + $1.secret.count + 96 }
    let reply = try call(SealForBackup(items: items).encoded(capacity: size))
    if Self.kind(of: reply) == EvidenceNeeded.number { return .evidenceNeeded(try decode(reply)) }
    let batch: AttributeBatch = try decode(reply)
    guard batch.results.count == items.count else { throw Self.mismatch }
    return .records(batch.results)
  }

  /// Has the attributes of records opened, the first of which is number `first`; nil for those that
  /// are of no version that is known.
  func openFromBackup(
    _ records: [[UInt8]], from first: UInt64
  ) throws(Failure) -> [ItemAttributes?] {
    let size = records.reduce(64) { $0 + $1.count + 4 }
    let batch: AttributeBatch = try decode(
      call(OpenFromBackup(first: first, records: records).encoded(capacity: size)))
    guard batch.results.count == records.count else { throw Self.mismatch }
    return batch.results.map { result in
      let opened: OpenedAttributes = Self.result(result)
      return if case .value(let attributes) = opened { attributes } else { nil }
    }
  }

  /// Has records sealed for this device; as many results as there are entries.
  func sealFromBackup(
    _ entries: [RestoredEntry]
  ) throws(Failure) -> [SealedFromBackup.Item] {
    guard !entries.isEmpty else { return [] }
    let size = entries.reduce(64) { $0 + $1.record.count + $1.attributes.count + 128 }
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
