// How items leave in a backup and come back (K7, A9; docs/backup-format.md). The file is the
// client's to write and to read; what is in it the enclave seals and opens. All of it happens in one
// evidence context, which the requests name, and only the owner's command may ask
// (`errSecMissingEntitlement`).

/// Bytes of the key of a backup's records, and of the checksum of its header.
package let backupKeySize = 32
/// The most items in one message of a restore.
package let mostRestoredAtOnce = 128

extension PortableKind {
  /// What an item of a class leaves with, guarded or not.
  package init(of itemClass: ItemClass, isGuarded: Bool) {
    self = itemClass == .certificate ? .certificate : isGuarded ? .guarded : .secret
  }

  /// The most bytes of it.
  package var limit: Int {
    switch self {
    case .secret, .guarded: largestItemSecret
    case .certificate: largestCertificate
    }
  }
}

extension GiveBackupKey {
  borrowing func check() throws(DecodeError) {
    guard header.count == backupKeySize, key.count == backupKeySize else {
      throw .invalidValue(field: "backup key")
    }
  }

  /// Gives the message up for the key.
  package consuming func takeKey() -> SecretBytes { key }
}
