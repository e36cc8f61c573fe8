import Protocol
import TestSupport

/// What a backup holds.
struct TestBackup: Equatable {
  var records: [SealedRecord] = []
  var leftOut: UInt64 = 0
  var unreadable: UInt64 = 0
  /// In how many messages it came.
  var parts = 0
}

extension TestKeychain {
  /// Backs everything up, part by part, with the owner's presence proved, or with proofs for what is
  /// guarded.
  func backUp(
    app: String = commandApplication, context: UInt64 = 1, proving proofs: EvidenceSet = []
  ) throws -> TestBackup {
    enclave.nextRecord = 0
    enclave.evidence[context] = proofs.isEmpty ? .passcode : proofs
    var backup = TestBackup()
    var next: UInt64? = 0
    while let after = next {
      let part: ItemsBackedUp = try send(
        BackUpItems(after: after, proofs: proofs), app: app, context: context)
      backup.records += part.records
      backup.leftOut += part.leftOut
      backup.unreadable += part.unreadable
      backup.parts += 1
      next = part.next
    }
    return backup
  }

  /// Brings records, so many at a time, and does not finish.
  func bring(
    _ records: [SealedRecord], _ mode: RestoreMode = .apply, atOnce: Int = mostRestoredAtOnce,
    app: String = commandApplication, context: UInt64 = 1
  ) throws {
    enclave.nextRecord = 0
    for first in stride(from: 0, to: max(records.count, 1), by: atOnce) {
      let part = Array(records[first..<min(records.count, first + atOnce)])
      let _: ItemsRestored = try send(
        RestoreItems(mode: mode, first: UInt64(first), records: part), app: app, context: context)
    }
  }

  func finishRestore(
    of count: Int, app: String = commandApplication, context: UInt64 = 1
  ) throws -> RestoreCounts {
    let reply: ItemsRestored = try send(
      FinishRestore(record: FakeEnclave.end(of: UInt64(count))), app: app, context: context)
    return reply.counts
  }

  @discardableResult
  func restore(
    _ records: [SealedRecord], _ mode: RestoreMode = .apply, atOnce: Int = mostRestoredAtOnce
  ) throws -> RestoreCounts {
    try bring(records, mode, atOnce: atOnce)
    return try finishRestore(of: records.count)
  }
}

extension SealedRecord {
  /// Changes a bit of a byte.
  mutating func damage(at index: Int) {
    var bytes = bytes
    bytes[index] ^= 1
    self = SealedRecord(kind, bytes)
  }
}

/// The public key in the certificates of ``maker(_:subject:)``.
let certifiedPoint = [4] + [UInt8](repeating: 7, count: 64)

/// Makes a certificate of that number.
func maker(_ serial: UInt8, subject: String = "subject") -> TestCertificate {
  var maker = TestCertificate(point: certifiedPoint)
  maker.serialNumber = [serial]
  maker.subject = TestCertificate.name(subject)
  return maker
}
