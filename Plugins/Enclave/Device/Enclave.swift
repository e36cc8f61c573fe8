import AuthcoreABI
import Cryptography
import EngineKit
import FingerprintMatching
import Wire

/// The enclave: it holds the keys, compares prints, counts what fails, and opens what the evidence
/// permits.
///
/// One thread. Each request is a method; the methods are grouped by subject in extensions. Whatever
/// is stored is stored before it is acted on.
final class Enclave {
  let platform: any EnclavePlatform
  let passcodeCost: PasscodeCost
  let root: RootKey

  /// What is stored in the keybag; changed by ``replaceKeybag(_:)`` alone.
  private(set) var keybag: Keybag
  /// Whether root key and keybag are in their files. A new enclave writes them with the first thing
  /// that depends on them.
  private var isStored: Bool
  /// What has failed; changed by ``replaceAttempts(_:)`` and ``forgiveAttempts(_:)`` alone.
  var attempts: Attempts { record.attempts }
  private(set) var record: AttemptsRecord
  private var marks: GenerationMarks
  /// An old file was noticed, and the passcode has not been given since.
  private(set) var isDistrusted: Bool

  var lock: DeviceLock
  /// When the passcode was last right, in nanoseconds since boot; nil since the start.
  var lastPasscode: UInt64?
  /// Until when no passcode is tried, in nanoseconds since boot.
  var passcodeDelayEnd: UInt64 = 0
  /// The match that last unlocked the device.
  var lastUnlock: MatchEvidence?
  var contexts: [UInt64: EvidenceContext] = [:]
  /// Whether a channel's frames are synthetic.
  var channels: [UInt32: Bool] = [:]
  var sessions: [UInt64: TouchSession] = [:]
  /// Templates that have been opened, by finger.
  var templates: [UInt32: AdaptingTemplate] = [:]
  /// What comparing works with; wiped after each touch.
  var matching = MatchingStorage()

  init(
    platform: any EnclavePlatform, passcodeCost: PasscodeCost, root: consuming RootKey,
    keybag: Keybag, isStored: Bool, record: AttemptsRecord, isDistrusted: Bool, lock: DeviceLock
  ) throws(Failure) {
    self.platform = platform
    self.passcodeCost = passcodeCost
    marks = try cryptographic { () throws(CryptographyError) in try GenerationMarks(root: root) }
    self.root = root
    self.keybag = keybag
    self.isStored = isStored
    self.record = record
    self.isDistrusted = isDistrusted
    self.lock = lock
  }

  /// The serial number of the next keybag, and of the generation that it begins.
  var nextSerial: UInt32 { record.witness.next(after: keybag) }

  /// Stores a keybag with another passcode, other fingers or other keys, and only then uses it: a
  /// crash leaves the old one or the new one. Its number is recorded before and after, so that
  /// neither file can be put back without the other.
  func replaceKeybag(
    _ next: Keybag, for reason: KeybagChange = .owner
  ) throws(Failure) {
    try storeNewEnclave()
    var next = next
    next.serial = nextSerial
    record.witness.announce(next.serial)
    try replaceAttempts(attempts)
    try storeKeybag(next)
    record.witness.confirm(next.serial, for: reason)
    forgiveAttempts(attempts)
  }

  /// Stores a keybag in which only names changed; that is no step an old copy could undo.
  func renameInKeybag(_ next: Keybag) throws(Failure) { try storeKeybag(next) }

  private func storeKeybag(_ next: Keybag) throws(Failure) {
    let sealed = try cryptographic { () throws(CryptographyError) in
      try next.sealed(with: root.derivedKey(for: .keybag))
    }
    try platform.save(Keybag.fileName, sealed)
    keybag = next
  }

  /// Makes sure that what is about to depend on the keys here finds them again.
  func storeNewEnclave() throws(Failure) {
    guard !isStored else { return }
    let file = try cryptographic { () throws(CryptographyError) in try root.encoded() }
    try platform.save(RootKey.fileName, file)
    try storeKeybag(keybag)
    isStored = true
  }

  /// Stores other attempts before anything that depends on them is said or done.
  func replaceAttempts(_ next: Attempts) throws(Failure) {
    let next = AttemptsRecord(next, record.witness)
    try platform.save(AttemptsRecord.fileName, sealed(next))
    record = next
  }

  /// Sets attempts back. What the file still says is stricter, so a failure to write it loses
  /// nothing.
  func forgiveAttempts(_ next: Attempts) {
    record.attempts = next
    do throws(Failure) {
      try platform.save(AttemptsRecord.fileName, sealed(record))
    } catch {
      platform.log(
        ac_log_level_t(AC_LOG_WARNING), "failed attempts stay recorded: \(error.message)")
    }
  }

  private func sealed(_ record: AttemptsRecord) throws(Failure) -> SecretBytes {
    try cryptographic { () throws(CryptographyError) in
      try record.sealed(with: root.derivedKey(for: .attempts))
    }
  }

  /// The passcode was given: the owner stands behind what is there.
  func trustAgain() { isDistrusted = false }

  /// Something was sealed under a generation that this keybag lacks. Where that is news, a newer
  /// keybag has been replaced.
  func noteLostGeneration(_ generation: UInt32) {
    guard generation > max(keybag.serial, record.witness.newest) else { return }
    record.witness.noteRollback(generation: generation)
    isDistrusted = keybag.passcode != nil
    endEvidence()
    lock.disarm()
    platform.log(
      ac_log_level_t(AC_LOG_WARNING),
      "the keybag is older than what was sealed with it: an old copy has been put back")
    forgiveAttempts(attempts)
  }

  /// The mark of a generation that is held.
  func mark(of generation: UInt32) throws(Failure) -> [UInt8] {
    try cryptographic { () throws(CryptographyError) in try marks.mark(of: generation) }
  }

  /// What the bytes in front of something sealed say of its generation.
  func origin(of bytes: some Collection<UInt8>) throws(Failure) -> GenerationMarks.Origin {
    try cryptographic { () throws(CryptographyError) in try marks.origin(of: bytes) }
  }

  /// What others may see of the set of fingers; empty where there is none.
  var domainState: [UInt8] {
    guard let held = keybag.fingerSet,
      let key = try? held.key.derivedKey(for: .domainState)
    else { return [] }
    return (0..<16).map { key.bytes.bytes[$0] }
  }
}
