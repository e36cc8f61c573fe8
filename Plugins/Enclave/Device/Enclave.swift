import AuthcoreABI
import Cryptography
import EngineKit
import FingerprintMatching
import Wire

/// The enclave: it holds the keys, compares prints, counts what fails, and opens what the evidence permits.
///
/// One thread. Each request is a method; the methods are grouped by subject in extensions. Whatever is stored is stored before it is acted on.
final class Enclave {
  let platform: any EnclavePlatform
  let passcodeCost: PasscodeCost
  let root: RootKey

  /// What is stored in the keybag; changed by ``replaceKeybag(_:)`` alone.
  private(set) var keybag: Keybag
  /// Whether root key and keybag are in their files. A new enclave writes them with the first thing that depends on them.
  private var isStored: Bool
  /// What has failed; changed by ``replaceAttempts(_:)`` and ``forgiveAttempts(_:)`` alone.
  private(set) var attempts: Attempts

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
    keybag: Keybag, isStored: Bool, attempts: Attempts, lock: DeviceLock
  ) {
    self.platform = platform
    self.passcodeCost = passcodeCost
    self.root = root
    self.keybag = keybag
    self.isStored = isStored
    self.attempts = attempts
    self.lock = lock
  }

  /// Stores another keybag, and only then uses it: a crash leaves the old one or the new one.
  func replaceKeybag(_ next: Keybag) throws(Failure) {
    try storeRootKey()
    let sealed = try cryptographic { () throws(CryptographyError) in
      try next.sealed(with: root.derivedKey(for: .keybag))
    }
    try platform.save(Keybag.fileName, sealed)
    keybag = next
    isStored = true
  }

  /// Makes sure that what is about to depend on the keys here finds them again.
  func storeNewEnclave() throws(Failure) {
    if !isStored { try replaceKeybag(keybag) }
  }

  private func storeRootKey() throws(Failure) {
    guard !isStored else { return }
    let file = try cryptographic { () throws(CryptographyError) in try root.encoded() }
    try platform.save(RootKey.fileName, file)
  }

  /// Stores other attempts before anything that depends on them is said or done.
  func replaceAttempts(_ next: Attempts) throws(Failure) {
    try platform.save(Attempts.fileName, sealed(next))
    attempts = next
  }

  /// Sets attempts back. What the file still says is stricter, so a failure to write it loses nothing.
  func forgiveAttempts(_ next: Attempts) {
    attempts = next
    do throws(Failure) {
      try platform.save(Attempts.fileName, sealed(next))
    } catch {
      platform.log(
        ac_log_level_t(AC_LOG_WARNING), "failed attempts stay recorded: \(error.message)")
    }
  }

  private func sealed(_ attempts: Attempts) throws(Failure) -> SecretBytes {
    try cryptographic { () throws(CryptographyError) in
      try attempts.sealed(with: root.derivedKey(for: .attempts))
    }
  }

  /// What others may see of the set of fingers; empty where there is none.
  var domainState: [UInt8] {
    guard let held = keybag.fingerSet,
      let key = try? held.key.derivedKey(for: .domainState)
    else { return [] }
    return (0..<16).map { key.bytes.bytes[$0] }
  }
}
