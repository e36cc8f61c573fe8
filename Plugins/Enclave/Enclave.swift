import Protocol

/// The enclave holds the keys, compares prints, counts failures, and opens what the evidence
/// permits.
///
/// It has six parts, each with its own state: the keys and what is sealed with them, the passcode
/// and its delays, how long a finger is believed, the evidence contexts, the touches with their
/// sessions, and the tries of application passwords. They share the stored state. This type holds
/// what concerns several of them; `EnclaveRequestTable` holds the requests. One thread.
final class Enclave {
  let state: StoredState
  let keys: KeyRing
  let passcode: OwnerPasscode
  let trust: BiometricTrust
  let evidence: EvidenceContexts
  let touches: Touches
  let appPasswords: AppPasswordTries

  /// Loads the enclave of a platform's folder, or makes one if the folder is empty. `channels` are
  /// open already; their sessions are ignored.
  /// - Throws: `stateDamaged`, naming the unusable file; nothing is changed then.
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

  /// Locks the device and ends all evidence.
  func lockDevice() throws(Failure) {
    guard state.isPasscodeSet else { throw .passcodeNotSet }
    keys.lockDevice(isArmed: trust.mayUnlock)
    endEvidence()
  }

  /// Unlocks with the match that a context holds. Policies may be answered from a match that
  /// `isReusable`.
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

  /// Ends all evidence after a change of the passcode or the fingers, or a lock: contexts that
  /// outlive requests end, and so do enrollments under way.
  func endEvidence() {
    evidence.endAll()
    touches.forgetPrompts()
    touches.endEnrollments()
  }

  /// Forgets a context and ends its sessions.
  func closeContext(_ name: ContextName) {
    if evidence.close(name) { touches.endSessions(for: name.number) }
  }

  /// Forgets all contexts of a connection and ends their sessions.
  func closeContexts(of requester: Requester) {
    for number in evidence.closeAll(of: requester) { touches.endSessions(for: number) }
  }

  func setPasscode(_ message: borrowing SetPasscode) throws(Failure) {
    try passcode.set(message.passcode, eraseAfter: message.eraseAfter)
    endEvidence()
  }

  func verifyPasscode(_ message: borrowing VerifyPasscode) throws(Failure) {
    try evidence.require(message.context)
    let proof = try trying(message.passcode, or: message.asTyped) {
      (given) throws(Failure) in
      try passcode.verify(
        given, unlocksDevice: message.unlocksDevice, mayErase: message.mayErase)
    }
    evidence.prove(proof, in: message.context)
  }

  /// Tries a passcode in the form in which it was set, so that it counts once.
  private func trying<Result>(
    _ normalized: borrowing SecretBytes, or asTyped: borrowing SecretBytes,
    _ body: (borrowing SecretBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard asTyped.count > 0, state.keybag.passcode?.isNormalized == false else {
      return try body(normalized)
    }
    return try body(asTyped)
  }

  func changePasscode(_ message: borrowing ReplacePasscode) throws(Failure) {
    try trying(message.current, or: message.asTyped) { (given) throws(Failure) in
      try passcode.change(
        current: given, replacement: message.replacement, eraseAfter: message.eraseAfter)
    }
    endEvidence()
  }

  func removePasscode(_ message: borrowing ErasePasscode) throws(Failure) {
    try trying(message.current, or: message.asTyped) { (given) throws(Failure) in
      try passcode.remove(current: given)
    }
    touches.forgetFingers()
    endEvidence()
  }

  func moveRootKey(_ message: borrowing MoveRootKey) throws(Failure) {
    try trying(message.passcode, or: message.asTyped) { (given) throws(Failure) in
      try passcode.moveRootKey(to: message.place, current: given)
    }
    endEvidence()
  }

  func commitEnrollment(_ session: UInt64) throws(Failure) -> EnrolledFinger {
    let finger = try touches.commitEnrollment(session)
    endEvidence()
    return finger
  }

  /// Renames a finger, if the device is unlocked and the owner's presence is proved.
  /// - Returns: the missing evidence, or nil once the finger was renamed.
  func renameFinger(
    _ request: RenameFinger, in context: ContextName
  ) throws(Failure) -> EvidenceNeeded? {
    guard keys.isUnlocked else {
      throw Failure(
        .errSecInteractionNotAllowed, "fingers are not renamed while the device is locked",
        hint: "unlock the device: authcore unlock")
    }
    // Refuses an unknown finger and an impossible name before anybody is asked.
    let finger = try state.keybag.finger(request.finger)
    let renamed = try state.keybag.renaming(finger, to: request.name)
    if let needed = try requirePresence(in: context) { return needed }
    try state.storeNames(renamed)
    return nil
  }

  /// - Returns: the missing evidence, or nil once the finger was removed.
  func removeFinger(_ finger: String, context: ContextName) throws(Failure) -> EvidenceNeeded? {
    if let needed = try touches.removeFinger(finger, context: context) { return needed }
    endEvidence()
    return nil
  }

  // MARK: Settings

  /// - Returns: the missing evidence, or nil once the settings were changed.
  func changeSettings(
    _ change: ChangeSettings, in context: ContextName
  ) throws(Failure) -> EvidenceNeeded? {
    try context.requester.requireOwnersCommand(for: .settings)
    try evidence.requireProofForThisAlone(context)
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

  /// Drops expired parked keys and application passwords, and restarts the passcode's delay if the
  /// clock went back.
  func keepTime() {
    if keys.isParked, !trust.mayUnlock { keys.disarm() }
    evidence.wipeStalePasswords()
    passcode.settleDelay()
  }

  /// Carries out `request`. If it met something newer than the keybag, no finger counts any more,
  /// nor evidence that one gave.
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

  var status: EnclaveStatus {
    let fingers = state.keybag.fingers
    var status = EnclaveStatus()
    status.isPasscodeSet = state.isPasscodeSet
    status.isLocked = !keys.isUnlocked
    status.isFirstUnlocked = keys.isFirstUnlocked
    status.realFingers = UInt32(fingers.count { $0.chip == nil && $0.origin == .reader })
    status.syntheticFingers = UInt32(fingers.count { $0.chip == nil && $0.origin == .synthetic })
    status.tapeFingers = UInt32(fingers.count { $0.chip == nil && $0.origin == .tape })
    status.chipFingers = UInt32(fingers.count { $0.chip != nil })
    status.earlierFingers = UInt32(fingers.count { $0.origin == nil })
    status.misses = state.attempts.misses
    status.isLockedOut = trust.lockout != nil
    status.isRollbackDetected = state.isRollbackDetected
    status.hasKeychain = state.keybag.hasKeychain
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

  var lockNotice: LockNotice {
    LockNotice(isLocked: !keys.isUnlocked, rule: state.keybag.lockRule)
  }
}

extension LockRule {
  fileprivate func check() throws(Failure) {
    guard case .minutes(let minutes) = self, !Self.minutesRange.contains(minutes) else { return }
    throw Failure(
      .errSecParam,
      "the device can lock after \(Self.minutesRange.lowerBound) to "
        + "\(Self.minutesRange.upperBound) minutes, not after \(minutes)")
  }

  /// Whether a device may stay open longer than under another rule. With the screen it may stay
  /// open for the longest time, or for the usual time if no screen locks.
  fileprivate func isLooser(than other: LockRule) -> Bool {
    switch (self, other) {
    case (.minutes(let minutes), .minutes(let others)): minutes > others
    case (.screen, .minutes): true
    case (.minutes, .screen): isLooser(than: .standard)
    case (.screen, .screen): false
    }
  }
}
