import Cryptography
package import Protocol

extension Failure {
  package static var wrongPassphrase: Failure {
    Failure(
      .errSecAuthFailed, "the passphrase is not that of this backup",
      hint: "nothing was changed; give the one that was set when it was made")
  }

  package static var backupCutShort: Failure {
    Failure(
      .backupDamaged, "the backup is cut short", hint: "nothing was changed; use a whole copy of it"
    )
  }

  package static var backupHasMore: Failure {
    Failure(
      .backupDamaged, "the backup goes on behind its end",
      hint: "nothing was changed; something was appended to it: use another copy")
  }

  package static func backupRecordDamaged(_ number: UInt64) -> Failure {
    Failure(
      .backupDamaged, "the backup is damaged in record \(number), or that is another backup's",
      hint: "nothing was changed; use another copy of it")
  }

  static var noBackup: Failure {
    Failure(
      .errSecDecode, "this is not a backup of authcore",
      hint: "nothing was changed; one begins with the words: authcore backup")
  }

  static var backupHeaderDamaged: Failure {
    Failure(
      .backupDamaged, "the beginning of the backup is damaged",
      hint: "nothing was changed; use another copy of it")
  }

  static var backupTooExpensive: Failure {
    Failure(
      .backupDamaged,
      """
      the backup asks for more than \(BackupHeader.mostMemory >> 20) MiB to try its passphrase, \
      which authcore never writes
      """, hint: "nothing was changed; somebody made this file to do harm, or it is damaged")
  }

  static func backupOfLaterVersion(_ version: UInt32) -> Failure {
    Failure(
      .backupTooNew,
      "the backup has version \(version) of its format, and this authcore reads \(BackupHeader.latestVersion)",
      hint: "nothing was changed; update authcore")
  }

  static func stretchingFailed(_ cost: Scrypt, _ error: CryptographyError) -> Failure {
    Failure(
      .engineFailed, "the passphrase cannot be stretched: \(error)",
      hint: "\(cost.memory >> 20) MiB are needed for a moment; end other programs")
  }
}
