import EngineKit
import FingerprintMatching
import Wire

extension Enclave {
  /// Makes the touches of an enrolment a finger.
  func commitEnrolment(_ number: UInt64) throws(Failure) -> EnrolledFinger {
    guard let session = sessions[number], let isSynthetic = channels[session.channel] else {
      throw Self.noEnrolment(number)
    }
    let progress: EnrolmentProgress
    switch session.purpose {
    case .match: throw Self.noEnrolment(number)
    case .over(let failure): throw failure
    case .enrolment(let running): progress = running
    }
    guard platform.bootTime - progress.beganAt <= EnrolmentProgress.longestDuration else {
      throw Failure(
        .authenticationFailed, "the passcode was given more than 15 minutes ago",
        hint: "enrol the finger again: authcore finger enroll")
    }
    let enrolment = progress.enrolment
    guard enrolment.usableTouches >= Enrolment.minimumTouches else {
      throw Failure(
        .enrolmentIncomplete,
        """
        \(enrolment.usableTouches) usable touches were taken; a finger needs at least \
        \(Enrolment.minimumTouches)
        """, hint: "enrol again and touch the sensor until it is complete")
    }
    guard let template = enrolment.template() else {
      throw Failure(
        .enrolmentIncomplete, "several fingers touched, and it is not plain which one is meant",
        hint: "enrol again with one finger")
    }
    let rate =
      progress.isRelaxed ? MatchRate.relaxed(forFrameOf: progress.largestFrame) : .strict
    let finger = try newFinger(named: progress.name, isSynthetic: isSynthetic, rate: rate)
    // The template lies in its file before the keybag names it; after a crash in between the file
    // is removed as one of a free slot.
    try storeTemplate(template, of: finger)
    do throws(Failure) {
      try replaceFingers(keybag.fingers + [finger], by: number)
    } catch {
      templates[finger.identifier] = nil
      throw error
    }
    sessions[number] = nil
    return EnrolledFinger(
      finger: finger.finger(wantsEnrollment: false), touches: UInt32(enrolment.usableTouches),
      coverage: enrolment.coverage)
  }

  private static func noEnrolment(_ number: UInt64) -> Failure {
    Failure(.errSecParam, "no enrolment is under way in session \(number)")
  }

  private func newFinger(
    named name: String, isSynthetic: Bool, rate: MatchRate
  ) throws(Failure) -> FingerRecord {
    let slots = 1...UInt8(Keybag.mostFingers)
    guard
      let slot = slots.first(where: { slot in !keybag.fingers.contains { $0.slot == slot } })
    else { throw Self.tooManyFingers }
    if !name.isEmpty { try refuseName(name, except: nil) }
    let bytes = try platform.randomOpenBytes(count: 4)
    let identifier = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard !keybag.fingers.contains(where: { $0.identifier == identifier }) else {
      throw Failure(.engineFailed, "the random generator repeats itself")
    }
    return FingerRecord(
      identifier: identifier, slot: slot, isSynthetic: isSynthetic, rate: rate,
      enrolledAt: platform.wallClock, name: name.isEmpty ? freeName : name)
  }

  /// The fingers as they may be shown. Whether one wants to be enrolled again is known once its
  /// template could be opened, after the first unlock.
  var fingerList: FingerList {
    if lock.isFirstUnlocked {
      for isSynthetic in [false, true] { try? loadTemplates(isSynthetic: isSynthetic) }
    }
    return FingerList(
      fingers: keybag.fingers.map { finger in
        finger.finger(
          wantsEnrollment: templates[finger.identifier]?.original.isOfEarlierFormat ?? false)
      })
  }

  /// The first of `finger-1` … `finger-6` that is not taken.
  private var freeName: String {
    let names = (1...Keybag.mostFingers + 1).map { "finger-\($0)" }
    return names.first { name in !keybag.fingers.contains { $0.name == name } } ?? "finger"
  }

  /// Gives a finger another name.
  func renameFinger(_ text: String, to name: String) throws(Failure) {
    let finger = try finger(text)
    try refuseName(name, except: finger)
    var next = keybag
    for index in next.fingers.indices where next.fingers[index].identifier == finger.identifier {
      next.fingers[index].name = name
    }
    try renameInKeybag(next)
  }

  /// Removes a finger; what was bound to the set it belonged to is bound to nothing that exists.
  ///
  /// - Returns: What the context still has to prove, when nothing was removed; nil when it was.
  func removeFinger(_ text: String, context: UInt64) throws(Failure) -> EvidenceNeeded? {
    // One that is not there is said before anybody is asked.
    let finger = try finger(text)
    let held = evidenceSet(of: context)
    guard held.contains(.passcode) else {
      guard let control = try? AccessControl(.passcode) else { throw Self.passcodeNotSet }
      return EvidenceNeeded(accessControl: control, held: held)
    }
    let evidence = try requirePasscodeEvidence(context)
    try replaceFingers(
      keybag.fingers.filter { $0.identifier != finger.identifier },
      renewingWith: evidence.generationsKey)
    templates[finger.identifier] = nil
    removeTemplatesWithoutFinger()
    return nil
  }

  /// Another set of fingers: with a key of its own, and without the matches of the old one.
  private func replaceFingers(
    _ fingers: [FingerRecord], by session: UInt64? = nil, renewingWith key: HeldKey? = nil
  ) throws(Failure) {
    var next = keybag
    let generations = if let key { try renew(&next, with: key) } else { nil as Generations? }
    next.fingers = fingers
    next.fingerSet = fingers.isEmpty ? nil : HeldKey(try platform.randomKey())
    try replaceKeybag(next)
    if let generations { lock.renew(generations, under: key) }
    endEvidence(except: session)
    if fingers.isEmpty { lock.disarm() }
  }

  /// Forgets what is in memory of fingers that have been removed from the keybag.
  func forgetFingers() {
    templates = [:]
    sessions = [:]
    endEvidence()
  }

  private func finger(_ text: String) throws(Failure) -> FingerRecord {
    guard
      let finger = keybag.fingers.first(where: { $0.identifierText == text })
        ?? keybag.fingers.first(where: { $0.name == text })
    else {
      throw Failure(
        .fingerNotFound, "no finger \(text) is enrolled", hint: "list them: authcore finger list")
    }
    return finger
  }

  /// A name is one to 64 characters of a line, not taken, and not what an identifier looks like.
  func refuseName(_ name: String, except finger: FingerRecord?) throws(Failure) {
    let isLine = !name.unicodeScalars.contains(where: \.isSteering)
    let isIdentifier = name.count == 8 && name.allSatisfy { $0.isHexDigit }
    guard 1...64 ~= name.count, name.utf8.count <= 256, isLine, !isIdentifier else {
      throw Failure(
        .errSecParam, "this cannot be the name of a finger",
        hint: """
          use 1 to 64 characters on one line, not eight hexadecimal digits and nothing that changes the \
          direction of writing
          """)
    }
    let isTaken = keybag.fingers.contains {
      $0.name == name && $0.identifier != finger?.identifier
    }
    guard !isTaken else {
      throw Failure(
        .errSecParam, "a finger named \(name) is enrolled already", hint: "choose another name")
    }
  }
}
