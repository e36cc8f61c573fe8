import AuthcoreABI
import Cryptography
import Protocol
import TrustedPlatform

/// The enclave's files besides templates: root key, keybag, record of attempts.
///
/// Stores every change before it is acted on. One thread.
final class StoredState {
  let platform: any EnclavePlatform
  private let tpm: PlatformTPM
  private var root: RootKey
  /// Whether an enclave that has stored nothing will bind its root key to the TPM.
  private var wantsTPM: Bool
  /// Changed by ``replaceKeybag(_:for:)`` and ``storeNames(_:)`` and
  /// ``storeKeychain(exists:)`` alone.
  private(set) var keybag: Keybag
  /// Whether root key and keybag are in their files. A new enclave writes them when something first
  /// depends on them.
  private var isStored: Bool
  private var record: AttemptsRecord
  /// The machine's rules; only tightened, not stored.
  var rules = EnclaveRules()
  /// Whether an old file was noticed and the passcode has not been given since.
  private(set) var isDistrusted: Bool

  init(
    platform: any EnclavePlatform, tpm: PlatformTPM, root: consuming RootKey,
    wantsTPM: Bool = false, keybag: Keybag, isStored: Bool, record: AttemptsRecord,
    isRolledBack: Bool
  ) {
    (self.platform, self.tpm, self.wantsTPM) = (platform, tpm, wantsTPM)
    self.root = root
    (self.keybag, self.isStored, self.record) = (keybag, isStored, record)
    isDistrusted =
      (isRolledBack || record.attempts.restoration != .none) && keybag.passcode != nil
  }

  // MARK: Keys

  /// Where the root key is, or will be once something is stored.
  var rootKeyPlace: RootKeyPlace { wantsTPM ? .tpm : root.place }

  /// Ends the conversation with the TPM at the end of a request.
  func endRequest() { tpm.hangUp() }

  func derivedKey(for purpose: KeyPurpose) throws(Failure) -> SymmetricKey {
    try cryptographic(try root.derivedKey(for: purpose))
  }

  func derivedKey(
    for purpose: KeyPurpose, stretched: borrowing SecretBytes
  ) throws(Failure) -> SymmetricKey {
    try cryptographic(try root.derivedKey(for: purpose, stretched: stretched))
  }

  /// The key of a passcode and the device. With a TPM it also needs a secret that the TPM gives to
  /// the passcode's holder.
  /// - Returns: nil if the TPM has judged the passcode wrong and counted it.
  /// - Throws: `tpmLockout`, or another failure of the TPM.
  func passcodeKey(
    stretched: borrowing SecretBytes, _ guarded: SealedObject?
  ) throws(Failure) -> SymmetricKey? {
    guard let guarded else { return try derivedKey(for: .passcode, stretched: stretched) }
    guard let guardian = root.guardian else {
      throw StateDamage.old.failure(file: RootKey.fileName)
    }
    let secret = try guardian.unseal(
      guarded, with: derivedKey(for: .passcodeAuthorization, stretched: stretched))
    guard let secret else { return nil }
    return try bound(stretched, secret)
  }

  /// The key of a passcode that is about to be set, with the part that the TPM guards; none if the
  /// root key is not in the TPM, or about to leave it.
  func newPasscodeKey(
    stretched: borrowing SecretBytes, isGuarded: Bool
  ) throws(Failure) -> NewPasscodeKey {
    guard isGuarded, let guardian = root.guardian else {
      return NewPasscodeKey(
        key: try derivedKey(for: .passcode, stretched: stretched), guarded: nil)
    }
    let secret = try platform.randomKey()
    let guarded = try guardian.seal(
      secret, for: derivedKey(for: .passcodeAuthorization, stretched: stretched))
    return NewPasscodeKey(key: try bound(stretched, secret.bytes), guarded: guarded)
  }

  struct NewPasscodeKey: ~Copyable {
    let key: SymmetricKey
    /// The TPM's part, to be stored; nil without a TPM.
    let guarded: SealedObject?
  }

  private func bound(
    _ stretched: borrowing SecretBytes, _ secret: borrowing SecretBytes
  ) throws(Failure) -> SymmetricKey {
    let device = try derivedKey(for: .passcode, stretched: stretched)
    return try cryptographic(try SymmetricKey.combining(device.bytes, secret, for: .boundPasscode))
  }

  // MARK: Moving the root key

  /// Moves the root key into the TPM. No passcode is guarded until the keybag is replaced, which
  /// comes next.
  /// - Throws: `errSecNotAvailable` without a usable TPM.
  func bindRootKey() throws(Failure) {
    let guardian: TPMGuardian
    do throws(Failure) {
      guardian = try root.bound(to: tpm, on: platform)
    } catch  where error.code == .tpmNotFound || error.code == .tpmNotPermitted {
      throw Failure(
        .errSecNotAvailable,
        "the enclave reaches no TPM that could keep the root key, which stays in its file",
        hint: """
          see authcore doctor; once there is a TPM, end the core, so that the enclave can open it: \
          \(Failure.endingTheCore)
          """)
    }
    do throws(Failure) {
      // Stored before the TPM is asked for it.
      record.number = try guardian.count()
      try replaceAttempts(attempts)
      root.use(guardian)
      try storeRootKey()
    } catch {
      root.use(nil)
      guardian.release()
      throw error
    }
  }

  /// Moves the root key out of the TPM, which guards nothing of the present keybag.
  func releaseRootKey() throws(Failure) {
    let guardian = root.guardian
    root.use(nil)
    do throws(Failure) {
      try storeRootKey()
    } catch {
      root.use(guardian)
      throw error
    }
    record.number = nil
    easeAttempts(attempts)
    guardian?.release()
  }

  private func storeRootKey() throws(Failure) {
    let file = try cryptographic(try root.encoded())
    try platform.save(RootKey.fileName, file)
  }

  // MARK: Keybag

  var isPasscodeSet: Bool { keybag.passcode != nil }

  /// What others may see of the set of fingers; empty without fingers.
  var domainState: [UInt8] {
    guard let held = keybag.fingerSet,
      let key = try? held.key.derivedKey(for: .domainState)
    else { return [] }
    return (0..<16).map { key.bytes.bytes[$0] }
  }

  /// The number of the next keybag and of the generation that it begins.
  var nextSerial: UInt32 {
    // No state, not even a lost one, was beside a higher counter of the TPM.
    let counted = record.number.map { UInt32(clamping: $0) } ?? 0
    return max(record.witness.next(after: keybag), counted &+ 1)
  }

  /// Stores a keybag, and only then uses it: a crash leaves the old one or the new one. Records its
  /// number before and after, so that neither file can be put back without the other.
  func replaceKeybag(_ next: Keybag, for reason: KeybagChange = .owner) throws(Failure) {
    try storeNewEnclave()
    var next = next
    next.serial = nextSerial
    record.witness.announce(next.serial)
    try advanceAttempts(attempts)
    try storeKeybag(next)
    record.witness.confirm(next.serial, for: reason)
    easeAttempts(attempts)
  }

  /// Stores a keybag in which only names of fingers changed, which an old copy may undo.
  func storeNames(_ next: Keybag) throws(Failure) { try storeKeybag(next) }

  /// Notes whether there is a keychain; an old keybag forgets one that was begun since.
  func storeKeychain(exists: Bool) throws(Failure) {
    try storeNewEnclave()
    guard keybag.hasKeychain != exists else { return }
    var next = keybag
    next.hasKeychain = exists
    try storeKeybag(next)
  }

  /// Stores root key and keybag before something depends on them.
  func storeNewEnclave() throws(Failure) {
    guard !isStored else { return }
    if wantsTPM { bindNewRootKey() }
    record.number = try root.guardian?.count()
    try storeRootKey()
    try storeKeybag(keybag)
    isStored = true
  }

  /// Nothing that is stored depends on the root key yet.
  private func bindNewRootKey() {
    wantsTPM = false
    do throws(Failure) {
      root.use(try root.bound(to: tpm, on: platform))
    } catch {
      platform.log(
        ac_log_level_t(AC_LOG_WARNING),
        "the root key is kept in a file, because the TPM cannot keep it: \(error.message)")
    }
  }

  private func storeKeybag(_ next: Keybag) throws(Failure) {
    let key = try derivedKey(for: .keybag)
    let sealed = try cryptographic(try next.sealed(with: key))
    try platform.save(Keybag.fileName, sealed)
    keybag = next
  }

  // MARK: Attempts

  var attempts: Attempts { record.attempts }

  /// Different wrong passcodes left until everything is erased; nil if it never is.
  var triesLeft: UInt32? {
    guard let limit = keybag.passcode?.eraseAfter, limit > 0 else { return nil }
    return limit - min(limit, attempts.erasingPasscodes)
  }

  /// Stores attempts before anything that depends on them is said or done.
  func replaceAttempts(_ next: Attempts) throws(Failure) {
    var record = record
    record.attempts = next
    try platform.save(AttemptsRecord.fileName, sealed(record))
    self.record = record
  }

  /// The same for a step that no older state may undo: with a TPM, stores the state under the next
  /// number, then raises the counter to it. A crash in between leaves a state that is about to be
  /// the newest.
  func advanceAttempts(_ next: Attempts) throws(Failure) {
    guard let guardian = root.guardian else { return try replaceAttempts(next) }
    var count = try guardian.count()
    if count == nil {
      root.use(try root.bound(to: tpm, on: platform))
      try storeRootKey()
      count = try root.guardian?.count()
    }
    guard let count, count < UInt64.max else { throw Failure(TPMError.noIndex) }
    record.number = count + 1
    try replaceAttempts(next)
    try root.guardian?.raise()
  }

  /// Stores attempts that are less strict than those in the file, so that a failed write loses
  /// nothing.
  func easeAttempts(_ next: Attempts) {
    record.attempts = next
    do throws(Failure) {
      try platform.save(AttemptsRecord.fileName, sealed(record))
    } catch {
      platform.log(
        ac_log_level_t(AC_LOG_WARNING), "failed attempts stay recorded: \(error.message)")
    }
  }

  /// The passcode was right: forgives failed tries, and accepts the present state.
  /// - Throws: `storageFailed` if the file still says that no try is left: the next typing error
  ///   would erase everything. The passcode has to be given again.
  func acceptPasscode() throws(Failure) {
    if triesLeft == 0 { try replaceAttempts(Attempts()) } else { easeAttempts(Attempts()) }
    isDistrusted = false
  }

  // MARK: Frames

  func hasSeen(_ code: UInt64) -> Bool { record.frames.contains(code) }

  /// Notes a frame, which is stored with the attempts next.
  func noteFrame(_ code: UInt64) { record.frames.insert(code) }

  private func sealed(_ record: AttemptsRecord) throws(Failure) -> SecretBytes {
    let key = try derivedKey(for: .attempts)
    return try cryptographic(try record.sealed(with: key))
  }

  // MARK: Old files

  /// Whether an old file was noticed since the passcode or the fingers last changed.
  var isRollbackDetected: Bool {
    record.witness.hasSeenRollback || attempts.restoration != .none
  }

  /// Something was sealed under a generation that this keybag lacks: if it is a later one, the
  /// keybag is an old copy.
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
