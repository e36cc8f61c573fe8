import Protocol

extension Touches {
  /// The fingers as they may be shown. Whether one wants to be enrolled again is known once its
  /// template could be opened, after the first unlock.
  var fingerList: FingerList {
    if keys.isFirstUnlocked {
      for origin in FrameOrigin.allCases { try? templates.open(origin) }
    }
    return FingerList(
      fingers: state.keybag.fingers.map {
        $0.finger(wantsEnrollment: templates.isOfEarlierFormat($0))
      })
  }

  /// Removes a finger; what was bound to the set it belonged to is bound to nothing that exists.
  /// - Returns: what the context still has to prove, when nothing was removed; nil when it was.
  func removeFinger(_ text: String, context: ContextName) throws(Failure) -> EvidenceNeeded? {
    // One that is not there is said before anybody is asked.
    let finger = try state.keybag.finger(text)
    let held = try evidence.evidenceForFingers(of: context)
    guard held.contains(.passcode) else {
      guard let control = try? AccessControl(.passcode) else { throw .passcodeNotSet }
      return EvidenceNeeded(accessControl: control, held: held)
    }
    let proof = try evidence.requirePasscode(context)
    try replaceFingers(
      state.keybag.fingers.filter { $0.identifier != finger.identifier },
      renewingWith: proof.generationsKey)
    templates.forget(finger)
    templates.removeFilesWithoutFinger()
    return nil
  }

  /// Another set of fingers, with a key of its own; with `key` another generation of class keys
  /// begins, too.
  func replaceFingers(
    _ fingers: [FingerRecord], renewingWith key: HeldKey? = nil
  ) throws(Failure) {
    var next = state.keybag
    let generations = if let key { try keys.renew(&next, with: key) } else { nil as Generations? }
    next.fingers = fingers
    next.fingerSet = fingers.isEmpty ? nil : HeldKey(try state.platform.randomKey())
    try state.replaceKeybag(next)
    if let generations { keys.use(generations, under: key) }
    if fingers.isEmpty { keys.disarm() }
  }
}
