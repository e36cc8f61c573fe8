import AuthcoreABI
import Protocol

/// The destruction of everything the enclave keeps, after too many wrong passcodes, as Apple's
/// "Erase Data" does (APPLE.md 1.4).
///
/// A file says that it is under way, so that the next enclave completes what was interrupted. The
/// root key goes first: without it nothing of the rest can be opened.
enum Erasure {
  /// The name of the file that says that it is under way.
  static let fileName = "erasing"
  private static let contents = "authcore erasing 1"
  private static let limit = 64

  /// From here there is no way back.
  static func begin(on platform: any EnclavePlatform) throws(Failure) {
    let bytes = Array(contents.utf8)
    try platform.save(fileName, SecretBytes(copying: bytes.span))
  }

  /// Completes what was begun; without that nothing happens.
  static func completeInterrupted(on platform: any EnclavePlatform) throws(Failure) {
    guard let file = try platform.load(fileName, limit: limit) else { return }
    guard file.copied == Array(contents.utf8) else {
      throw StateDamage.notOurs.failure(file: fileName)
    }
    if let root = try platform.load(RootKey.fileName, limit: RootKey.limit) {
      releaseCounter(of: root, on: platform)
    }
    for name in [RootKey.fileName, Keybag.fileName, AttemptsRecord.fileName] {
      try platform.remove(name)
    }
    for slot in 1...UInt8(Keybag.mostFingers) {
      try platform.remove(FingerRecord.adaptedFileName(slot: slot))
      try platform.remove(FingerRecord.fileName(slot: slot))
    }
    try platform.remove(fileName)
    platform.log(
      ac_log_level_t(AC_LOG_WARNING),
      "too many wrong passcodes: keys, fingers and passcode have been destroyed")
  }

  /// Takes out of the TPM what is there of a root key that opens; one that does not has nothing there
  /// that could be known to be its own.
  private static func releaseCounter(
    of file: borrowing SecretBytes, on platform: any EnclavePlatform
  ) {
    do throws(Failure) {
      let tpm = PlatformTPM(platform)
      defer { tpm.hangUp() }
      try RootKey.load(file, tpm, on: platform).guardian?.release()
    } catch {
      platform.log(ac_log_level_t(AC_LOG_WARNING), "the TPM keeps a counter: \(error.message)")
    }
  }

  /// What the try that led to it is answered with.
  static func failure(after wrong: UInt32) -> Failure {
    Failure(
      .deviceErased,
      "\(wrong) wrong passcodes in a row: the keys of everything stored here have been destroyed",
      hint: """
        begin anew with authcore passcode set; what a backup holds can be restored: \
        authcore backup restore
        """)
  }
}
