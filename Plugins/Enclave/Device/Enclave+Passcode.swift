import Cryptography
import EngineKit
import Wire

extension Enclave {
  /// Sets the first passcode and leaves the device unlocked.
  func setPasscode(_ passcode: borrowing SecretBytes) throws(Failure) {
    guard keybag.passcode == nil else {
      throw Failure(
        .passcodeAlreadySet, "a passcode is set already",
        hint: "change it with: authcore passcode change")
    }
    try refuseEmpty(passcode)
    var keys = lock.keys
    keys.classes[.whenPasscodeSetThisDeviceOnly] = HeldKey(try platform.randomKey())
    keys.accessControl = HeldKey(try platform.randomKey())
    let cost = try passcodeCost.parameters { platform.bootTime }
    // The record of attempts is there before the first passcode is, so that its absence always
    // means a loss; and the keybag is there before the attempts are, so that attempts without a
    // keybag always mean a loss too.
    try storeNewEnclave()
    try replaceAttempts(Attempts())
    try renew(&keys)
    try storePasscode(passcode, keys: keys, cost: cost)
    lock.unlock(keys)
    endEvidence()
    lastPasscode = platform.bootTime
    passcodeDelayEnd = 0
  }

  /// Replaces the passcode; the device stays locked or unlocked as it is.
  func changePasscode(
    current: borrowing SecretBytes, replacement: borrowing SecretBytes
  ) throws(Failure) {
    try refuseEmpty(replacement)
    var keys = try keys(openedBy: current)
    guard let cost = keybag.passcode?.cost else { throw Self.passcodeNotSet }
    try renew(&keys)
    try storePasscode(replacement, keys: keys, cost: cost)
    lock.renew(keys.generations, under: keys.generationsKey)
    endEvidence()
  }

  /// Removes the passcode, every finger, and the keys of all that needs a passcode.
  func removePasscode(current: borrowing SecretBytes) throws(Failure) {
    var keys = try keys(openedBy: current)
    guard !record.witness.hasSeenRollback else { throw Self.rolledBack }
    try renew(&keys)
    keys.classes[.whenPasscodeSetThisDeviceOnly] = nil
    keys.accessControl = nil
    var next = keybag
    next.wrapped = try cryptographic { () throws(CryptographyError) in
      try WrappedClassKeys(keys, under: root.derivedKey(for: .deviceClasses))
    }
    next.passcode = nil
    next.fingers = []
    next.fingerSet = nil
    try replaceKeybag(next)
    lock.unlock(keys)
    forgetFingers()
    endEvidence()
    lastPasscode = nil
    removeTemplatesWithoutFinger()
  }

  /// Verifies the passcode for a context and, if asked, unlocks the device with it.
  func verifyPasscode(
    _ passcode: borrowing SecretBytes, for context: UInt64, unlocksDevice: Bool
  ) throws(Failure) {
    try requireContext(context)
    let keys = try keys(openedBy: passcode)
    contexts[context]?.prove(
      PasscodeEvidence(time: platform.bootTime, generationsKey: keys.generationsKey))
    if unlocksDevice { lock.unlock(keys) }
  }

  /// Seconds for which no passcode is tried.
  var remainingPasscodeDelay: UInt32 {
    let now = platform.bootTime
    guard keybag.passcode != nil, passcodeDelayEnd > now else { return 0 }
    return UInt32(clamping: (passcodeDelayEnd - now - 1) / 1_000_000_000 + 1)
  }

  /// Begins the delay that the wrong passcodes so far ask for; also when the enclave starts,
  /// because nobody knows how long it was away.
  func delayPasscode() {
    let delay = attempts.passcodeDelay * 1_000_000_000
    passcodeDelayEnd =
      delay == 0 ? 0 : platform.bootTime.addingReportingOverflow(delay).partialValue
  }

  static var passcodeNotSet: Failure {
    Failure(
      .passcodeNotSet, "no passcode is set on this device",
      hint: "set one with: authcore passcode set")
  }

  /// The class keys, if the passcode is right. Counted as wrong before it is verified, so that
  /// ending the process at any moment saves no try.
  private func keys(openedBy passcode: borrowing SecretBytes) throws(Failure) -> ClassKeys {
    guard let record = keybag.passcode else { throw Self.passcodeNotSet }
    try refuseDelayed()
    guard passcode.count > 0 else { throw wrongPasscode }
    let key = try cryptographic { () throws(CryptographyError) in
      try record.key(for: passcode, root: root)
    }
    let code = try cryptographic { () throws(CryptographyError) in
      let codeKey = try key.derivedKey(for: .triedPasscode)
      return try HMACSHA256.code(for: Span(), with: codeKey.bytes)
    }
    // One that was tried before does not count again. It is verified all the same: a try that was
    // cut short may have been the right one.
    let isNew = !attempts.hasTried(code)
    if isNew {
      var counted = attempts
      counted.countPasscode(code)
      try replaceAttempts(counted)
    }
    let wrapping = try cryptographic { () throws(CryptographyError) in
      try key.derivedKey(for: .passcodeClasses)
    }
    guard let keys = unwrapClassKeys(wrapping) else {
      if isNew { delayPasscode() }
      throw wrongPasscode
    }
    trustAgain()
    forgiveAttempts(Attempts())
    passcodeDelayEnd = 0
    lastPasscode = platform.bootTime
    return keys.generationsKey == nil
      ? try introduceGenerations(to: keys, under: wrapping) : keys
  }

  private func unwrapClassKeys(_ wrapping: borrowing SymmetricKey) -> ClassKeys? {
    do {
      return try keybag.wrapped.keys(under: wrapping)
    } catch {
      // The keybag itself is authentic, so what does not fit is the passcode.
      return nil
    }
  }

  private func storePasscode(
    _ passcode: borrowing SecretBytes, keys: ClassKeys, cost: Scrypt
  ) throws(Failure) {
    let record = PasscodeRecord(
      cost: cost, salt: try platform.randomOpenBytes(count: PasscodeRecord.saltSize))
    let key = try cryptographic { () throws(CryptographyError) in
      try record.key(for: passcode, root: root)
    }
    var next = keybag
    next.passcode = record
    next.wrapped = try cryptographic { () throws(CryptographyError) in
      try WrappedClassKeys(keys, under: key.derivedKey(for: .passcodeClasses))
    }
    try replaceKeybag(next)
  }

  private func refuseEmpty(_ passcode: borrowing SecretBytes) throws(Failure) {
    guard passcode.count > 0 else {
      throw Failure(
        .errSecParam, "an empty passcode protects nothing",
        hint: "choose a passcode of 1 to \(longestPasscode) bytes")
    }
  }

  private func refuseDelayed() throws(Failure) {
    let seconds = remainingPasscodeDelay
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
    let seconds = remainingPasscodeDelay
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
