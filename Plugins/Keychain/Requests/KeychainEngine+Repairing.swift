import GRDB
import Protocol

extension KeychainEngine {
  /// ``CheckKeychain``: the file's structure, then every row with the enclave. Where SQLite cannot
  /// read the file, what a repair would find.
  func check(_ request: CheckKeychain, for requester: Requester) throws(Failure) -> SecretBytes {
    try requester.requireOwnersCommand(for: .keychainFile)
    return KeychainChecked(findings: try examine(for: requester.application)).encoded()
  }

  /// ``RepairKeychain``: nothing takes the file's place before it is complete and on the disk.
  func repair(_ request: RepairKeychain, for requester: Requester) throws(Failure) -> SecretBytes {
    try requester.requireOwnersCommand(for: .keychainFile)
    let findings = try examine(for: requester.application)
    guard findings.needsRepair else {
      return KeychainRepaired(findings: findings, setAside: nil).encoded()
    }
    let queue = try store.makeNext()
    do throws(Failure) {
      let inspection = try salvaged(
        into: queue, findings.problems, for: requester.application)
      try store.finish(queue, after: inspection)
      let path = try store.file.keepAside()
      try store.file.replaceByNext()
      return KeychainRepaired(findings: inspection.findings, setAside: path).encoded()
    } catch {
      try? queue.close()
      store.file.discardNext()
      throw error
    }
  }

  /// ``CopyDatabase``: reads the other database page by page.
  func copyDatabase(_ request: CopyDatabase) throws(Failure) -> SecretBytes {
    try store.copyRows(
      of: store.file.beside(CopyDatabase.source), to: store.file.beside(CopyDatabase.target))
    return Done().encoded()
  }

  private func examine(for application: String) throws(Failure) -> KeychainFindings {
    let problems = try store.problems()
    guard problems.isEmpty else {
      return try salvaged(into: store.temporary(), problems, for: application).findings
    }
    let hashes = try enclave.identity(seenBy: application)
    var inspection = Inspection(enclave: enclave, for: application, own: hashes.application)
    try inspection.look(at: store.queue(), in: store.file)
    return inspection.findings
  }

  /// Reads the file page by page into an empty database, and asks the enclave about what is there.
  private func salvaged(
    into queue: DatabaseQueue, _ problems: [String], for application: String
  ) throws(Failure) -> Inspection {
    let hashes = try enclave.identity(seenBy: application)
    let (lost, mayBeMore) = try store.salvage(into: queue)
    var inspection = Inspection(enclave: enclave, for: application, own: hashes.application)
    let sealedBy = try store.enclave(of: queue)
    if sealedBy == nil || sealedBy == hashes.enclave {
      try inspection.look(at: queue, in: store.file)
    } else {
      try inspection.count(in: queue, of: store.file)
    }
    inspection.note(lost: lost, mayHaveLostMore: mayBeMore, problems: problems)
    return inspection
  }
}
