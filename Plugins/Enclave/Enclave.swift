import Protocol

/// The enclave: it holds the keys, compares prints, counts what fails, and opens what the evidence
/// permits.
///
/// It composes six parts, each of which keeps its own state: the keys and what is sealed with them,
/// the passcode and its delays, how long a finger is believed, the evidence contexts, the touches
/// with their sessions, and the tries of application passwords. They share what is stored. What
/// concerns several of them is here; the requests are in a table of their own. One thread.
final class Enclave {
  let state: StoredState
  let keys: KeyRing
  let passcode: OwnerPasscode
  let trust: BiometricTrust
  let evidence: EvidenceContexts
  let touches: Touches
  let appPasswords: AppPasswordTries

  /// The enclave of a platform's folder; a new one where the folder is empty. `channels` are open
  /// already, and no session of them is looked at.
  /// - Throws: `stateDamaged`, naming the file, when the folder holds something that cannot be
  ///   used; nothing is changed then.
  init(
    on platform: any EnclavePlatform, passcodeCost: PasscodeCost,
    channels: TouchSessions = TouchSessions()
  ) throws(Failure) {
    state = try StoredState.load(from: platform)
    keys = try KeyRing(state, appPasswordCost: passcodeCost.ofAppPasswords)
    trust = BiometricTrust(state)
    passcode = OwnerPasscode(state, keys, trust, cost: passcodeCost)
    evidence = EvidenceContexts(state)
    touches = Touches(state, keys, evidence, trust, channels)
    appPasswords = AppPasswordTries(platform)
    touches.status = { [unowned self] in status }
  }

  // MARK: Locking

  /// Locks the device. What was proved before counts no more.
  func lockDevice() throws(Failure) {
    guard state.isPasscodeSet else { throw .passcodeNotSet }
    keys.lockDevice(isArmed: trust.mayUnlock)
    endEvidence()
  }

  /// Unlocks with the match that a context holds; one that `isReusable` may serve other requests as an
  /// unlock by touch.
  func unlockDevice(withMatchOf context: ContextName, isReusable: Bool) throws(Failure) {
    try evidence.require(context)
    guard state.isPasscodeSet else { return }
    guard let match = evidence.ownMatch(of: context) else {
      throw Failure(
        .authenticationFailed, "no finger has matched for this unlock",
        hint: "touch the sensor, or give the passcode")
    }
    guard !keys.isUnlocked else { return }
    guard trust.mayUnlock, keys.unlockWithParkedKeys() else {
      throw Failure(
        .biometryLockout, "only the passcode unlocks this device at the moment",
        hint: "give the passcode: authcore unlock")
    }
    trust.fingerUnlocked()
    if isReusable { evidence.noteUnlock(by: match) }
  }

  // MARK: What ends evidence

  /// The passcode or the fingers were changed, or the device was locked: what was proved before
  /// counts no more, contexts that outlive requests are over, and an enrollment that it permitted
  /// comes to nothing.
  func endEvidence() {
    evidence.endAll()
    touches.endEnrollments()
  }

  /// Forgets a context and ends what works for it.
  func closeContext(_ name: ContextName) {
    if evidence.close(name) { touches.endSessions(for: name.number) }
  }

  /// Forgets all contexts of a connection and ends what works for them.
  func closeContexts(of requester: Requester) {
    for number in evidence.closeAll(of: requester) { touches.endSessions(for: number) }
  }

  /// Sets the first passcode.
  func setPasscode(_ message: borrowing SetPasscode) throws(Failure) {
    try passcode.set(message.passcode, eraseAfter: message.eraseAfter)
    endEvidence()
  }

  /// Verifies the passcode for a context.
  func verifyPasscode(_ message: borrowing VerifyPasscode) throws(Failure) {
    try evidence.require(message.context)
    let proof = try trying(message.passcode, or: message.asTyped) {
      (given) throws(Failure) in
      try passcode.verify(
        given, unlocksDevice: message.unlocksDevice, mayErase: message.mayErase)
    }
    evidence.prove(proof, in: message.context)
  }

  /// Tries one form of a passcode, so that it counts once: the one in which the passcode was set.
  private func trying<Result>(
    _ normalized: borrowing SecretBytes, or asTyped: borrowing SecretBytes,
    _ body: (borrowing SecretBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard asTyped.count > 0, state.keybag.passcode?.isNormalized == false else {
      return try body(normalized)
    }
    return try body(asTyped)
  }

  /// Replaces the passcode.
  func changePasscode(_ message: borrowing ReplacePasscode) throws(Failure) {
    try trying(message.current, or: message.asTyped) { (given) throws(Failure) in
      try passcode.change(
        current: given, replacement: message.replacement, eraseAfter: message.eraseAfter)
    }
    endEvidence()
  }

  /// Removes the passcode, and with it every finger.
  func removePasscode(_ message: borrowing ErasePasscode) throws(Failure) {
    try trying(message.current, or: message.asTyped) { (given) throws(Failure) in
      try passcode.remove(current: given)
    }
    touches.forgetFingers()
    endEvidence()
  }

  /// Moves the root key into the TPM or out of it.
  func moveRootKey(_ message: borrowing MoveRootKey) throws(Failure) {
    try trying(message.passcode, or: message.asTyped) { (given) throws(Failure) in
      try passcode.moveRootKey(to: message.place, current: given)
    }
    endEvidence()
  }

  /// Makes the touches of an enrollment a finger.
  func commitEnrollment(_ session: UInt64) throws(Failure) -> EnrolledFinger {
    let finger = try touches.commitEnrollment(session)
    endEvidence()
    return finger
  }

  /// Gives a finger another name, on an unlocked device and where the owner is proved to be there.
  /// - Returns: what the context still has to prove, when nothing was renamed; nil when it was.
  func renameFinger(
    _ request: RenameFinger, in context: ContextName
  ) throws(Failure) -> EvidenceNeeded? {
    guard keys.isUnlocked else {
      throw Failure(
        .errSecInteractionNotAllowed, "fingers are not renamed while the device is locked",
        hint: "unlock the device: authcore unlock")
    }
    // A finger that is not there, and a name that none may have, are said before anybody is asked.
    let finger = try state.keybag.finger(request.finger)
    let renamed = try state.keybag.renaming(finger, to: request.name)
    if let needed = try requirePresence(in: context) { return needed }
    try state.storeNames(renamed)
    return nil
  }

  /// Removes a finger.
  /// - Returns: what the context still has to prove, when nothing was removed; nil when it was.
  func removeFinger(_ finger: String, context: ContextName) throws(Failure) -> EvidenceNeeded? {
    if let needed = try touches.removeFinger(finger, context: context) { return needed }
    endEvidence()
    return nil
  }

  // MARK: Settings

  /// Changes what the owner has set.
  /// - Returns: what the context still has to prove, when nothing was changed; nil when it was.
  func changeSettings(
    _ change: ChangeSettings, in context: ContextName
  ) throws(Failure) -> EvidenceNeeded? {
    try context.requester.requireOwnersCommand(for: .settings)
    var next = state.keybag
    if let rule = change.lockRule {
      try rule.check()
      next.lockRule = rule
    }
    if let number = change.eraseAfter {
      guard next.passcode != nil else { throw .passcodeNotSet }
      try OwnerPasscode.check(number)
      next.passcode?.eraseAfter = number
    }
    let needsPasscode =
      next.passcode != state.keybag.passcode || next.lockRule.isLooser(than: state.keybag.lockRule)
    if needsPasscode, state.isPasscodeSet, let needed = try evidence.missingPasscode(context) {
      return needed
    }
    try state.replaceKeybag(next, for: .setting)
    return nil
  }

  // MARK: Between requests

  /// Does what the time asks for: drops parked keys and application passwords whose time is over,
  /// and begins the delay anew where the clock went back behind it.
  func keepTime() {
    if keys.isParked, !trust.mayUnlock { keys.disarm() }
    evidence.wipeStalePasswords()
    passcode.settleDelay()
  }

  /// Carries out `request`. Where it met something newer than the keybag, no finger counts from
  /// there on, and no evidence that one gave.
  func noticingOldFiles<Reply: ~Copyable>(
    _ request: () throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    let wasDistrusted = state.isDistrusted
    defer {
      if !wasDistrusted, state.isDistrusted {
        keys.disarm()
        endEvidence()
      }
    }
    return try request()
  }

  /// What may be told of the device.
  var status: EnclaveStatus {
    let fingers = state.keybag.fingers
    var status = EnclaveStatus()
    status.isPasscodeSet = state.isPasscodeSet
    status.isLocked = !keys.isUnlocked
    status.isFirstUnlocked = keys.isFirstUnlocked
    status.realFingers = UInt32(fingers.count { $0.origin == .reader })
    status.syntheticFingers = UInt32(fingers.count { $0.origin == .synthetic })
    status.tapeFingers = UInt32(fingers.count { $0.origin == .tape })
    status.earlierFingers = UInt32(fingers.count { $0.origin == nil })
    status.misses = state.attempts.misses
    status.isLockedOut = trust.lockout != nil
    status.isRollbackDetected = state.isRollbackDetected
    status.isBiometricUnlockArmed = keys.isUnlocked ? trust.mayUnlock : keys.isParked
    status.passcodeDelay = passcode.remainingDelay
    status.eraseAfter = state.keybag.passcode?.eraseAfter ?? 0
    status.lockRule = state.keybag.lockRule
    status.wrongPasscodes = state.isPasscodeSet ? state.attempts.wrongPasscodes : 0
    status.rootKey = state.rootKeyPlace.name
    status.domainState = state.domainState
    status.isMemoryLocked = SecretArena.isLocked
    return status
  }

  /// What the core is told of the lock.
  var lockNotice: LockNotice {
    LockNotice(isLocked: !keys.isUnlocked, rule: state.keybag.lockRule)
  }
}

extension LockRule {
  /// - Throws: `errSecParam` for a time that cannot be set.
  fileprivate func check() throws(Failure) {
    guard case .minutes(let minutes) = self, !Self.minutesRange.contains(minutes) else { return }
    throw Failure(
      .errSecParam,
      "the device can lock after \(Self.minutesRange.lowerBound) to "
        + "\(Self.minutesRange.upperBound) minutes, not after \(minutes)")
  }

  /// Whether a device may stay open longer than under another rule. With the screen it stays open for as
  /// long as it ever may, and for the usual time where there is no screen that locks.
  fileprivate func isLooser(than other: LockRule) -> Bool {
    switch (self, other) {
    case (.minutes(let minutes), .minutes(let others)): minutes > others
    case (.screen, .minutes): true
    case (.minutes, .screen): isLooser(than: .standard)
    case (.screen, .screen): false
    }
  }
}
