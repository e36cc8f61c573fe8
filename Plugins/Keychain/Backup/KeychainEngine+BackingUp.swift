import AuthcoreABI
import EngineKit
import Protocol

extension KeychainEngine {
  /// ``BackUpItems``: rows as they are stored go to the enclave, and records come back. What may leave
  /// the enclave decides; what may not is not asked for (A9), and counted.
  func backUp(_ request: BackUpItems, in context: ContextName) throws(Failure) -> SecretBytes {
    try context.requester.requireOwnersCommand(for: .backups)
    if request.after == 0 { try enclave.identify() }
    var part = try store.backupPart(from: request.after, proving: request.proofs)
    let sealed: [AttributeBatch.Result]
    switch try enclave.sealForBackup(part.items) {
    case .records(let results): sealed = results
    case .evidenceNeeded(let needed): return needed.encoded()
    }
    var records: [SealedRecord] = []
    for (item, result) in zip(part.items, sealed) {
      switch result {
      case .value(let record): records.append(SealedRecord(item.kind, record))
      case .closed: part.leftOut += 1
      case .damaged, .newer: part.unreadable += 1
      }
    }
    let unreadable = part.unreadable
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
