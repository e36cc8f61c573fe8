import Cryptography
import EngineKit
import Wire

/// The owner's passcode: sets, verifies, changes and removes it, and delays whoever guesses.
///
/// The passcode is stored nowhere: it is right when it unwraps the class keys.
final class OwnerPasscode {
  private let state: StoredState
  private let keys: KeyRing
  private let cost: PasscodeCost
  /// When it was last right, in nanoseconds since boot; nil since the start.
  private var acceptedAt: UInt64?
  /// Until when none is tried, in nanoseconds since boot.
  private var delayEnd: UInt64 = 0

  /// How long after the passcode a match may unlock, in nanoseconds: 48 hours.
  private static let biometricUnlockSpan: UInt64 = 48 * 3600 * 1_000_000_000

  /// The delay of earlier wrong passcodes begins anew, because nobody knows how long the enclave
  /// was away.
  init(_ state: StoredState, _ keys: KeyRing, cost: PasscodeCost) {
    self.state = state
    self.keys = keys
    self.cost = cost
    beginDelay()
  }

  private var now: UInt64 { state.platform.bootTime }

  /// Whether it was given recently enough for a match to unlock.
  var wasGivenRecently: Bool {
    guard let acceptedAt else { return false }
    return now >= acceptedAt && now - acceptedAt <= Self.biometricUnlockSpan
  }

  /// Seconds for which none is tried.
  var remainingDelay: UInt32 {
    guard state.isPasscodeSet, delayEnd > now else { return 0 }
    return UInt32(clamping: (delayEnd - now - 1) / 1_000_000_000 + 1)
  }

  /// Sets the first passcode and leaves the device unlocked.
  func set(_ passcode: borrowing SecretBytes) throws(Failure) {
    guard !state.isPasscodeSet else {
      throw Failure(
        .passcodeAlreadySet, "a passcode is set already",
        hint: "change it with: authcore passcode change")
    }
    try refuseEmpty(passcode)
    var next = keys.held
    next.classes[.whenPasscodeSetThisDeviceOnly] = HeldKey(try state.platform.randomKey())
    next.accessControl = HeldKey(try state.platform.randomKey())
    let cost = try cost.parameters { state.platform.bootTime }
    // The record of attempts is there before the first passcode is, so that its absence always
    // means a loss; and the keybag is there before the attempts are, so that attempts without a
    // keybag always mean a loss too.
    try state.storeNewEnclave()
    try state.replaceAttempts(Attempts())
    next = try keys.renewed(next)
    try store(passcode, keys: next, cost: cost)
    keys.unlock(next)
    acceptedAt = now
    delayEnd = 0
  }

  /// Replaces it; the device stays locked or unlocked as it is.
  func change(
    current: borrowing SecretBytes, replacement: borrowing SecretBytes
  ) throws(Failure) {
    try refuseEmpty(replacement)
    let opened = try classKeys(openedBy: current)
    guard let cost = state.keybag.passcode?.cost else { throw .passcodeNotSet }
    let next = try keys.renewed(opened)
    try store(replacement, keys: next, cost: cost)
    keys.use(next.generations, under: next.generationsKey)
  }

  /// Removes it, and with it every finger and the keys of all that needs a passcode.
  func remove(current: borrowing SecretBytes) throws(Failure) {
    let opened = try classKeys(openedBy: current)
    guard !state.isRollbackDetected else { throw Self.rolledBack }
    var keys = try keys.renewed(opened)
    keys.classes[.whenPasscodeSetThisDeviceOnly] = nil
    keys.accessControl = nil
    let wrapping = try state.derivedKey(for: .deviceClasses)
    var next = state.keybag
    next.wrapped = try cryptographic { () throws(CryptographyError) in
      try WrappedClassKeys(keys, under: wrapping)
    }
    next.passcode = nil
    next.fingers = []
    next.fingerSet = nil
    try state.replaceKeybag(next)
    self.keys.unlock(keys)
    acceptedAt = nil
  }

  /// Verifies a passcode, and unlocks the device with it where that is asked.
  /// - Returns: what it proves.
  func verify(
    _ passcode: borrowing SecretBytes, unlocksDevice: Bool
  ) throws(Failure) -> PasscodeEvidence {
    let opened = try classKeys(openedBy: passcode)
    if unlocksDevice { keys.unlock(opened) }
    return PasscodeEvidence(time: now, generationsKey: opened.generationsKey)
  }

  /// The class keys, if the passcode is right. Counted as wrong before it is verified, so that
  /// ending the process at any moment saves no try.
  private func classKeys(openedBy passcode: borrowing SecretBytes) throws(Failure) -> ClassKeys {
    guard let record = state.keybag.passcode else { throw .passcodeNotSet }
    try refuseDelayed()
    guard passcode.count > 0 else { throw wrongPasscode }
    let key = try state.passcodeKey(for: passcode, record)
    let code = try cryptographic { () throws(CryptographyError) in
      let codeKey = try key.derivedKey(for: .triedPasscode)
      return try HMACSHA256.code(for: Span(), with: codeKey.bytes)
    }
    // One that was tried before does not count again. It is verified all the same: a try that was
    // cut short may have been the right one.
    let isNew = !state.attempts.hasTried(code)
    if isNew {
      var counted = state.attempts
      counted.countPasscode(code)
      try state.replaceAttempts(counted)
    }
    let wrapping = try cryptographic { () throws(CryptographyError) in
      try key.derivedKey(for: .passcodeClasses)
    }
    guard let opened = unwrap(wrapping) else {
      if isNew { beginDelay() }
      throw wrongPasscode
    }
    state.acceptPasscode()
    delayEnd = 0
    acceptedAt = now
    return opened.generationsKey == nil
      ? try keys.introduceGenerations(to: opened, under: wrapping) : opened
  }

  private func unwrap(_ wrapping: borrowing SymmetricKey) -> ClassKeys? {
    do {
      return try state.keybag.wrapped.keys(under: wrapping)
    } catch {
      // The keybag itself is authentic, so what does not fit is the passcode.
      return nil
    }
  }

  private func store(
    _ passcode: borrowing SecretBytes, keys: ClassKeys, cost: Scrypt
  ) throws(Failure) {
    let record = PasscodeRecord(
      cost: cost, salt: try state.platform.randomOpenBytes(count: PasscodeRecord.saltSize))
    let key = try state.passcodeKey(for: passcode, record)
    var next = state.keybag
    next.passcode = record
    next.wrapped = try cryptographic { () throws(CryptographyError) in
      try WrappedClassKeys(keys, under: key.derivedKey(for: .passcodeClasses))
    }
    try state.replaceKeybag(next)
  }

  /// Begins the delay that the wrong passcodes so far ask for.
  private func beginDelay() {
    let delay = state.attempts.passcodeDelay * 1_000_000_000
    delayEnd = delay == 0 ? 0 : now.addingReportingOverflow(delay).partialValue
  }

  private func refuseEmpty(_ passcode: borrowing SecretBytes) throws(Failure) {
    guard passcode.count > 0 else {
      throw Failure(
        .errSecParam, "an empty passcode protects nothing",
        hint: "choose a passcode of 1 to \(longestPasscode) bytes")
    }
  }

  private func refuseDelayed() throws(Failure) {
    let seconds = remainingDelay
    guard seconds > 0 else { return }
    throw Failure(
      .passcodeDelayed,
      "too many wrong passcodes: none is tried for \(Self.spoken(seconds))",
      hint: "wait \(Self.spoken(seconds)), then give the passcode; restarting begins the delay anew"
    )
  }

  /// Removing the passcode destroys items; not while newer keys than the ones here may come back.
  private static var rolledBack: Failure {
    Failure(
      .stateDamaged,
      """
      an old copy of the enclave's files has been put back: the passcode is not removed, because \
      newer items would be lost
      """,
      hint: """
        put the newest files back from a backup of the state folder; or change the passcode, which \
        says that what is here shall count: authcore passcode change
        """)
  }

  private var wrongPasscode: Failure {
    let seconds = remainingDelay
    return Failure(
      .authenticationFailed, "the passcode is wrong",
      hint: seconds == 0 ? nil : "the next one is tried in \(Self.spoken(seconds))")
  }

  private static func spoken(_ seconds: UInt32) -> String {
    switch seconds {
    case 0...119: "\(seconds) s"
    default: "\((seconds - 1) / 60 + 1) minutes"
    }
  }
}
