import BackupFormat
import Cryptography
import Protocol

/// A backup that is made or read in one context.
struct BackupSession: Sendable {
  let use: BackupUse
  /// Whether items behind an access control may leave.
  let includesGuarded: Bool
  /// Wiped when the session is dropped.
  let cipher: BackupCipher
  /// Records that were sealed: the place of the next one.
  private(set) var sealedCount: UInt64 = 0

  init(_ use: BackupUse, _ cipher: BackupCipher, includesGuarded: Bool) {
    self.use = use
    self.includesGuarded = includesGuarded
    self.cipher = cipher
  }

  /// Seals an item, opened, as the next record.
  mutating func seal(
    _ item: StoredItemEntry, _ attributes: [UInt8], _ content: Span<UInt8>
  ) throws(Failure) -> SealedRecord {
    let place = sealedCount
    let cipher = cipher
    let record = try cryptographic { () throws(CryptographyError) in
      try cipher.sealItem(
        item.kind, item.protection.accessibility, item.protection.accessControl,
        attributes: attributes, content: content, as: place)
    }
    sealedCount += 1
    return record
  }
}
