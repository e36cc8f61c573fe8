import BackupFormat
import Wire

/// A backup that is made or read in one context.
struct BackupSession: Sendable {
  let use: BackupUse
  /// Wiped when the session is dropped.
  let cipher: BackupCipher
  /// Records that were sealed: the place of the next one.
  private(set) var sealedCount: UInt64 = 0

  init(_ use: BackupUse, _ cipher: BackupCipher) {
    self.use = use
    self.cipher = cipher
  }

  /// The place of the record that is sealed now.
  mutating func takePlace() -> UInt64 {
    defer { sealedCount += 1 }
    return sealedCount
  }
}
