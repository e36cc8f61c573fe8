import AuthcoreABI
import Cryptography
import Wire

/// What the enclave keeps in its folder besides templates: root key, keybag, record of attempts.
///
/// Whatever is stored is stored before it is acted on. One thread.
final class StoredState {
  let platform: any EnclavePlatform
  private let root: RootKey
  /// What is stored in the keybag; changed by ``replaceKeybag(_:for:)`` and ``storeNames(_:)``
  /// alone.
  private(set) var keybag: Keybag
  /// Whether root key and keybag are in their files. A new enclave writes them with the first thing
  /// that depends on them.
  private var isStored: Bool
  private var record: AttemptsRecord
  /// An old file was noticed, and the passcode has not been given since.
  private(set) var isDistrusted: Bool

  init(
    platform: any EnclavePlatform, root: consuming RootKey, keybag: Keybag, isStored: Bool,
    record: AttemptsRecord, isRolledBack: Bool
  ) {
    self.platform = platform
    self.root = root
    self.keybag = keybag
    self.isStored = isStored
    self.record = record
    isDistrusted = isRolledBack && keybag.passcode != nil
  }

  // MARK: Keys

  /// Where the root key is kept.
  var rootKeyKind: RootKey.Kind { root.kind }

  /// A key of the device for one purpose.
  func derivedKey(for purpose: KeyPurpose) throws(Failure) -> SymmetricKey {
    try cryptographic { () throws(CryptographyError) in try root.derivedKey(for: purpose) }
  }

  /// The key that a passcode and the device give together; slow on purpose.
  func passcodeKey(
    for passcode: borrowing SecretBytes, _ record: PasscodeRecord
  ) throws(Failure) -> SymmetricKey {
    try cryptographic { () throws(CryptographyError) in try record.key(for: passcode, root: root) }
  }

  // MARK: Keybag

  /// Whether a passcode is set.
  var isPasscodeSet: Bool { keybag.passcode != nil }

  /// What others may see of the set of fingers; empty where there is none.
  var domainState: [UInt8] {
    guard let held = keybag.fingerSet,
      let key = try? held.key.derivedKey(for: .domainState)
    else { return [] }
    return (0..<16).map { key.bytes.bytes[$0] }
  }

  /// The serial number of the next keybag, and of the generation that it begins.
  var nextSerial: UInt32 { record.witness.next(after: keybag) }

  /// Stores a keybag with another passcode, other fingers or other keys, and only then uses it: a
  /// crash leaves the old one or the new one. Its number is recorded before and after, so that
  /// neither file can be put back without the other.
  func replaceKeybag(_ next: Keybag, for reason: KeybagChange = .owner) throws(Failure) {
    try storeNewEnclave()
    var next = next
    next.serial = nextSerial
    record.witness.announce(next.serial)
    try replaceAttempts(attempts)
    try storeKeybag(next)
    record.witness.confirm(next.serial, for: reason)
    easeAttempts(attempts)
  }

  /// Stores a keybag in which only names of fingers changed; that is no step an old copy could
  /// undo.
  func storeNames(_ next: Keybag) throws(Failure) { try storeKeybag(next) }

  /// Makes sure that what is about to depend on the keys here finds them again.
  func storeNewEnclave() throws(Failure) {
    guard !isStored else { return }
    let file = try cryptographic { () throws(CryptographyError) in try root.encoded() }
    try platform.save(RootKey.fileName, file)
    try storeKeybag(keybag)
    isStored = true
  }

  private func storeKeybag(_ next: Keybag) throws(Failure) {
    let key = try derivedKey(for: .keybag)
    let sealed = try cryptographic { () throws(CryptographyError) in try next.sealed(with: key) }
    try platform.save(Keybag.fileName, sealed)
    keybag = next
  }

  // MARK: Attempts

  /// What has failed.
  var attempts: Attempts { record.attempts }

  /// How many different wrong passcodes are left until everything is destroyed; nil where it never
  /// is.
  var triesLeft: UInt32? {
    guard let limit = keybag.passcode?.eraseAfter, limit > 0 else { return nil }
    return limit - min(limit, attempts.wrongPasscodes)
  }

  /// Stores other attempts before anything that depends on them is said or done.
  func replaceAttempts(_ next: Attempts) throws(Failure) {
    let next = AttemptsRecord(next, record.witness)
    try platform.save(AttemptsRecord.fileName, sealed(next))
    record = next
  }

  /// Stores other attempts than which those in the file are stricter, so that a failure to write
  /// them loses nothing.
  func easeAttempts(_ next: Attempts) {
    record.attempts = next
    do throws(Failure) {
      try platform.save(AttemptsRecord.fileName, sealed(record))
    } catch {
      platform.log(
        ac_log_level_t(AC_LOG_WARNING), "failed attempts stay recorded: \(error.message)")
    }
  }

  /// The passcode was right: everything is forgiven, and the owner stands behind what is there.
  /// - Throws: `storageFailed` where the file goes on saying that no try is left: the next typing
  ///   error would destroy everything then. The passcode has to be given again.
  func acceptPasscode() throws(Failure) {
    if triesLeft == 0 { try replaceAttempts(Attempts()) } else { easeAttempts(Attempts()) }
    isDistrusted = false
  }

  private func sealed(_ record: AttemptsRecord) throws(Failure) -> SecretBytes {
    let key = try derivedKey(for: .attempts)
    return try cryptographic { () throws(CryptographyError) in try record.sealed(with: key) }
  }

  // MARK: Old files

  /// Whether an old file has been noticed since the passcode or the fingers last changed.
  var isRollbackDetected: Bool { record.witness.hasSeenRollback }

  /// Something was sealed under a generation that this keybag lacks. Where that is news, a newer
  /// keybag has been replaced.
  func noteLostGeneration(_ generation: UInt32) {
    guard record.witness.isNews(generation, to: keybag) else { return }
    record.witness.noteRollback(generation: generation)
    isDistrusted = isPasscodeSet
    platform.log(
      ac_log_level_t(AC_LOG_WARNING),
      "the keybag is older than what was sealed with it: an old copy has been put back")
    easeAttempts(attempts)
  }
}
