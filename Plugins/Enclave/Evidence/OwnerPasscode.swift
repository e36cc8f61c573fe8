import Cryptography
import Protocol

/// Sets, verifies, changes and removes the owner's passcode, and delays guesses.
///
/// The passcode is not stored: it is right if it unwraps the class keys.
final class OwnerPasscode {
  private let state: StoredState
  private let keys: KeyRing
  private let trust: BiometricTrust
  private let cost: PasscodeCost
  /// Codes of passcodes that the TPM has called wrong, so that it need not count them again. Only
  /// in memory: beside the TPM, each code would tell a reader which passcode it was.
  private var refused: Set<[UInt8]> = []

  init(_ state: StoredState, _ keys: KeyRing, _ trust: BiometricTrust, cost: PasscodeCost) {
    self.state = state
    self.keys = keys
    self.trust = trust
    self.cost = cost
    settleDelay()
  }

  /// Restarts the delay if the time of the last wrong passcode is unknown, as after a restart of
  /// the machine. Records that, so that restarting the enclave does not prolong it.
  func settleDelay() {
    let now = state.platform.bootMoment
    guard state.isPasscodeSet, state.attempts.remainingDelay(at: now) == nil else { return }
    var attempts = state.attempts
    attempts.beginDelay(at: now)
    state.easeAttempts(attempts)
  }

  /// Seconds for which no passcode is tried.
  var remainingDelay: UInt32 {
    guard state.isPasscodeSet,
      let remaining = state.attempts.remainingDelay(at: state.platform.bootMoment)
    else { return 0 }
    return UInt32(clamping: (remaining + 999_999_999) / 1_000_000_000)
  }

  func set(_ passcode: borrowing SecretBytes, eraseAfter: UInt32) throws(Failure) {
    guard !state.isPasscodeSet else {
      throw Failure(
        .passcodeAlreadySet, "a passcode is set already",
        hint: "change it with: authcore passcode change")
    }
    try PasscodeRules.check(passcode, atLeast: Int(state.rules.passcodeCharacters))
    try Self.check(eraseAfter)
    var next = keys.held
    next.classes[.whenPasscodeSetThisDeviceOnly] = HeldKey(try state.platform.randomKey())
    next.accessControl = HeldKey(try state.platform.randomKey())
    let cost = try cost.parameters { state.platform.bootTime }
    // The record of attempts is stored before the first passcode, and the keybag before the
    // attempts, so that a missing file always means a loss.
    try state.storeNewEnclave()
    try state.replaceAttempts(Attempts())
    next = try keys.renewed(next)
    try store(passcode, keys: next, cost: cost, eraseAfter: eraseAfter)
    keys.unlock(next)
    trust.passcodeWasGiven()
  }

  /// Replaces the passcode; the device stays locked or unlocked.
  func change(
    current: borrowing SecretBytes, replacement: borrowing SecretBytes, eraseAfter: UInt32?
  ) throws(Failure) {
    guard let record = state.keybag.passcode else { throw .passcodeNotSet }
    try PasscodeRules.check(replacement, atLeast: Int(state.rules.passcodeCharacters))
    try Self.check(eraseAfter ?? 0)
    let opened = try classKeys(openedBy: current)
    let next = try keys.renewed(opened)
    try store(
      replacement, keys: next, cost: record.cost, eraseAfter: eraseAfter ?? record.eraseAfter)
    keys.use(next.generations, under: next.generationsKey)
  }

  /// Removes the passcode, every finger, and the keys of everything that needs a passcode.
  func remove(current: borrowing SecretBytes) throws(Failure) {
    let opened = try classKeys(openedBy: current)
    guard !state.isRollbackDetected else { throw .rolledBack }
    var keys = try keys.renewed(opened)
    keys.classes[.whenPasscodeSetThisDeviceOnly] = nil
    keys.accessControl = nil
    var next = state.keybag
    next.wrapped = try wrapped(keys, under: state.derivedKey(for: .deviceClasses))
    next.passcode = nil
    next.leftovers = (next.leftovers + next.fingers.compactMap(\.chip)).suffix(Keybag.mostLeftovers)
    next.fingers = []
    next.fingerSet = nil
    try state.replaceKeybag(next)
    self.keys.unlock(keys)
    trust.forgetProofs()
  }

  /// Verifies a passcode, and unlocks the device if asked to. A wrong one is delayed, and if it
  /// `mayErase`, counts towards the erasure of everything.
  func verify(
    _ passcode: borrowing SecretBytes, unlocksDevice: Bool, mayErase: Bool
  ) throws(Failure) -> PasscodeEvidence {
    let opened = try classKeys(openedBy: passcode, mayErase: mayErase)
    if unlocksDevice { keys.unlock(opened) }
    return PasscodeEvidence(time: state.platform.bootTime, generationsKey: opened.generationsKey)
  }

  /// The class keys, if the passcode is right. It counts as wrong before it is verified, so that
  /// ending the process at any moment saves no try. If no try is left, everything is erased instead
  /// of verifying a new passcode. A passcode that was tried before is still verified, because its
  /// result may have been lost.
  private func classKeys(
    openedBy passcode: borrowing SecretBytes, mayErase: Bool = true
  ) throws(Failure) -> ClassKeys {
    guard let record = state.keybag.passcode else { throw .passcodeNotSet }
    try refuseDelayed()
    guard passcode.count > 0 else { throw wrongPasscode }
    let stretched = try stretch(passcode, record.cost, salt: record.salt)
    let code = try code(of: stretched)
    guard !refused.contains(code) else { throw wrongPasscode }
    let before = state.attempts
    try count(code, record, mayErase: mayErase)
    let key: SymmetricKey?
    do throws(Failure) {
      key = try state.passcodeKey(stretched: stretched, record.guarded)
    } catch {
      // A locked TPM has judged nothing, so this was no try.
      if error.code == .tpmLockout { state.easeAttempts(before) }
      throw error
    }
    guard let opened = try unwrap(key) else {
      if record.guarded != nil { refused.insert(code) }
      throw mayErase && state.triesLeft == 0 ? try erase() : wrongPasscode
    }
    try state.acceptPasscode()
    trust.passcodeWasGiven()
    refused = []
    return try brought(opened, intoPresentForm: passcode, record)
  }

  /// Records a try before it is made. A passcode that was tried before does not count again, but is
  /// verified: the first try may have been right and cut short. With a TPM no codes are kept, so
  /// one more try may be cut short than the number that erases.
  private func count(
    _ code: [UInt8], _ record: PasscodeRecord, mayErase: Bool
  ) throws(Failure) {
    let isGuarded = record.guarded != nil
    guard isGuarded || !state.attempts.hasTried(code) else { return }
    guard
      !mayErase || state.triesLeft != 0
        || isGuarded && state.attempts.erasingPasscodes == record.eraseAfter
    else { throw try erase() }
    var counted = state.attempts
    counted.countPasscode(
      isGuarded ? nil : code, at: state.platform.bootMoment, mayErase: mayErase)
    try state.advanceAttempts(counted)
  }

  private func stretch(
    _ passcode: borrowing SecretBytes, _ cost: Scrypt, salt: [UInt8]
  ) throws(Failure) -> SecretBytes {
    try cryptographic(try cost.stretch(passcode, salt: salt))
  }

  private func code(of stretched: borrowing SecretBytes) throws(Failure) -> [UInt8] {
    let key = try state.derivedKey(for: .passcode, stretched: stretched)
    let codeKey = try cryptographic(try key.derivedKey(for: .triedPasscode))
    return try cryptographic(try HMACSHA256.code(for: Span(), with: codeKey.bytes))
  }

  /// Brings a keybag of an earlier version, or from before the root key moved into the TPM, into
  /// the present form.
  private func brought(
    _ opened: ClassKeys, intoPresentForm passcode: borrowing SecretBytes, _ record: PasscodeRecord
  ) throws(Failure) -> ClassKeys {
    guard
      opened.generationsKey == nil || record.guarded == nil && state.rootKeyPlace == .tpm
    else { return opened }
    let keys = try keys.renewed(opened)
    try store(
      passcode, keys: keys, cost: record.cost, eraseAfter: record.eraseAfter, for: .newForm,
      isNormalized: record.isNormalized)
    self.keys.use(keys.generations, under: keys.generationsKey)
    return keys
  }

  // MARK: Moving the root key

  /// Moves the root key into the TPM or out of it, and begins a generation, so that an old copy of
  /// root key and keybag does not open what is sealed from then on. `current` counts if a passcode
  /// is set. A crash leaves the root key in one place or the other; the next right passcode guards
  /// what is not guarded yet.
  func moveRootKey(to place: RootKeyPlace, current: borrowing SecretBytes) throws(Failure) {
    let record = state.keybag.passcode
    let opened = record == nil ? keys.held : try classKeys(openedBy: current)
    guard place != state.rootKeyPlace else { return }
    try state.storeNewEnclave()
    if place == .tpm { try state.bindRootKey() }
    let next = try keys.renewed(opened)
    if let record {
      try store(
        current, keys: next, cost: record.cost, eraseAfter: record.eraseAfter, for: .newForm,
        isNormalized: record.isNormalized, isGuarded: place == .tpm)
    } else {
      var keybag = state.keybag
      keybag.wrapped = try wrapped(next, under: state.derivedKey(for: .deviceClasses))
      try state.replaceKeybag(keybag, for: .newForm)
    }
    keys.use(next.generations, under: next.generationsKey)
    if place == .file { try state.releaseRootKey() }
  }

  private func wrapped(
    _ keys: ClassKeys, under key: borrowing SymmetricKey
  ) throws(Failure) -> WrappedClassKeys {
    try cryptographic(try WrappedClassKeys(keys, under: key))
  }

  private func unwrap(_ key: consuming SymmetricKey?) throws(Failure) -> ClassKeys? {
    guard let key else { return nil }
    let wrapping = try cryptographic(try key.derivedKey(for: .passcodeClasses))
    do {
      return try state.keybag.wrapped.keys(under: wrapping)
    } catch {
      // The keybag is authentic, so the passcode is wrong.
      return nil
    }
  }

  /// Stores a passcode with a new salt and, if the TPM guards passcodes, a new secret there.
  private func store(
    _ passcode: borrowing SecretBytes, keys: ClassKeys, cost: Scrypt, eraseAfter: UInt32,
    for reason: KeybagChange = .owner, isNormalized: Bool = true, isGuarded: Bool = true
  ) throws(Failure) {
    let salt = try state.platform.randomOpenBytes(count: PasscodeRecord.saltSize)
    let stretched = try stretch(passcode, cost, salt: salt)
    let new = try state.newPasscodeKey(stretched: stretched, isGuarded: isGuarded)
    var next = state.keybag
    next.passcode = PasscodeRecord(
      cost: cost, salt: salt, eraseAfter: eraseAfter, isNormalized: isNormalized,
      guarded: new.guarded)
    next.wrapped = try cryptographic(
      try WrappedClassKeys(keys, under: new.key.derivedKey(for: .passcodeClasses)))
    try state.replaceKeybag(next, for: reason)
  }

  /// Begins the erasure, which the next enclave completes.
  /// - Returns: the answer to the last try.
  private func erase() throws(Failure) -> Failure {
    try Erasure.begin(on: state.platform)
    return Erasure.failure(after: state.attempts.erasingPasscodes)
  }

  static func check(_ eraseAfter: UInt32) throws(Failure) {
    guard eraseAfter == 0 || eraseAfterRange.contains(eraseAfter) else {
      throw Failure(
        .errSecParam,
        """
        a device can erase itself after \(eraseAfterRange.lowerBound) to \
        \(eraseAfterRange.upperBound) wrong passcodes, not after \(eraseAfter)
        """, hint: "0 turns it off")
    }
  }

  private func refuseDelayed() throws(Failure) {
    settleDelay()
    let seconds = remainingDelay
    guard seconds > 0 else { return }
    throw Failure(
      .passcodeDelayed,
      "too many wrong passcodes: none is tried for \(Self.spoken(seconds))",
      hint: """
        wait \(Self.spoken(seconds)), then give the passcode; restarting the machine begins the \
        delay anew
        """)
  }

  private var wrongPasscode: Failure {
    let seconds = remainingDelay
    let wait = seconds == 0 ? nil : "the next one is tried in \(Self.spoken(seconds))"
    let warning = state.triesLeft.map {
      "\($0 == 1 ? "one more" : "\($0) more") destroy\($0 == 1 ? "s" : "") everything stored here"
    }
    let hints = [wait, warning].compactMap(\.self)
    return Failure(
      .authenticationFailed, "the passcode is wrong",
      hint: hints.isEmpty ? nil : hints.joined(separator: "; "))
  }

  private static func spoken(_ seconds: UInt32) -> String {
    switch seconds {
    case 0...119: "\(seconds) s"
    default: "\((seconds - 1) / 60 + 1) minutes"
    }
  }
}
