import AuthcoreABI
import EngineKit
import Protocol

extension KeychainEngine {
  /// Counts what nothing opens any more among what is left out.
  /// - Returns: what has to be proved before a guarded item can be sealed.
  private func leaveOutLost(_ part: inout BackupPart) throws(Failure) -> EvidenceNeeded? {
    var kept: [StoredItemEntry] = []
    for item in part.items {
      if item.kind == .guarded {
        do throws(Failure) {
          if let needed = try enclave.authorize(item.content, as: item.protection) { return needed }
        } catch {
          guard error.code == .errSecAuthFailed else {
            guard error.code == .errSecDecode || error.code == .stateDamaged else { throw error }
            kept.append(item)
            continue
          }
          part.leftOut += 1
          continue
        }
      }
      kept.append(item)
    }
    part.items = kept
    return nil
  }

  /// ``BackUpItems``: rows as they are stored go to the enclave, and records come back. What may leave
  /// the enclave decides; what may not is not asked for (A9), and counted.
  func backUp(_ request: BackUpItems, in context: ContextName) throws(Failure) -> SecretBytes {
    try context.requester.requireOwnersCommand(for: .backups)
    if request.after == 0 { try enclave.identify() }
    var part = try store.backupPart(from: request.after, proving: request.proofs)
    if let needed = try leaveOutLost(&part) { return needed.encoded() }
    let sealed: [AttributeBatch.Result]
    switch try enclave.sealForBackup(part.items) {
    case .records(let results): sealed = results
    case .evidenceNeeded(let needed): return needed.encoded()
    }
    var records: [SealedRecord] = []
    for (item, result) in zip(part.items, sealed) {
      guard case .value(let record) = result else { continue }
      records.append(SealedRecord(item.kind, record))
    }
    let unreadable = part.unreadable + UInt64(sealed.count - records.count)
    if unreadable > 0 {
      services.log(
        ac_log_level_t(AC_LOG_WARNING), "\(unreadable) keychain items are in no backup: damaged")
    }
    return ItemsBackedUp(
      records: records, leftOut: part.leftOut, unreadable: unreadable, next: part.next,
      remaining: part.remaining
    ).encoded(capacity: records.reduce(64) { $0 + $1.bytes.count + 5 })
  }
}
