import Cryptography
package import Protocol

/// The keys of one backup, which its passphrase becomes; wiped when the last reference goes.
package final class BackupKeys: Sendable {
  /// Seals the records; nothing else.
  private let records: SymmetricKey
  /// Proves that the passphrase is the one the file was made with; nothing else.
  private let check: SymmetricKey

  /// Stretches a passphrase, and derives both from what comes of it.
  init(
    stretching passphrase: borrowing SecretBytes, salt: [UInt8], cost: Scrypt
  ) throws(CryptographyError) {
    let stretched = try SymmetricKey(try cost.stretch(passphrase, salt: salt))
    records = try stretched.derivedKey(for: "authcore backup 1 records")
    check = try stretched.derivedKey(for: "authcore backup 1 check")
  }

  /// What stands in the header beside `facts`.
  func check(of facts: [UInt8]) throws(CryptographyError) -> [UInt8] {
    try HMACSHA256.code(for: facts.span, with: check.bytes)
  }

  func isCheck(
    _ code: [UInt8], of facts: [UInt8]
  ) throws(CryptographyError) -> Bool {
    try HMACSHA256.isValid(code.span, for: facts.span, with: check.bytes)
  }

  /// A copy of the key of the records, for the enclave.
  package func copyOfRecordsKey() -> SecretBytes { records.bytes.duplicate() }

  /// What seals and opens the records of the file with this header.
  package func cipher(for header: BackupHeader) -> BackupCipher {
    BackupCipher(key: records.duplicate(), header: header.checksum)
  }
}
