import FingerprintMatching
import Protocol

extension Touches {
  /// Takes a touch for an enrollment.
  func take(
    _ touch: PrintFeatures?, _ area: Double, _ number: UInt64, _ progress: EnrollmentProgress,
    from origin: FrameOrigin
  ) {
    var progress = progress
    // A refused frame shows the size of the sensor too.
    progress.largestFrame = max(progress.largestFrame, area)
    progress.frames += 1
    guard progress.frames <= EnrollmentProgress.mostFrames else {
      return end(number, with: Self.tooManyTouches)
    }
    update(number, .enrollment(progress))
    guard let touch, touch.hasRidges else { return emit(number, .refused(.noRidges)) }
    switch progress.enrollment.add(touch) {
    case .refused(let guidance):
      emit(number, .refused(EnrollmentAdvice(guidance)))
    case .waiting(let guidance):
      update(number, .enrollment(progress))
      emit(number, .refused(EnrollmentAdvice(guidance)))
    case .accepted(let coverage, let advice):
      if let finger = enrolledFinger(like: touch, from: origin) {
        endSession(number)
        return emit(number, .duplicate(finger: finger.name))
      }
      update(number, .enrollment(progress))
      emit(
        number,
        .taken(
          TakenTouch(
            touches: UInt32(progress.enrollment.usableTouches), coverage: coverage,
            isComplete: progress.enrollment.isComplete, advice: advice.map(EnrollmentAdvice.init),
            picture: progress.enrollment.seen.map(CoveragePicture.init) ?? .empty)))
    }
  }

  private static var tooManyTouches: Failure {
    Failure(
      .enrolmentIncomplete, "after \(EnrollmentProgress.mostFrames) touches there is no finger yet",
      hint: "enroll again, with another finger or another sensor")
  }

  /// The enrolled finger of one origin that a touch matches. Not counted, because one passcode
  /// allows one enrollment of ``EnrollmentProgress/mostFrames`` touches, which a match ends.
  private func enrolledFinger(like probe: PrintFeatures, from origin: FrameOrigin) -> FingerRecord?
  {
    let candidates = state.keybag.fingers.filter { $0.matches(origin) }
    let touch = ComparedTouch(
      probe: probe, area: .infinity, isStrict: true, origin: origin)
    let scores = templates.evidence(of: probe, about: candidates).mapValues(\.score)
    guard let best = touch.best(scores, of: candidates), best.isMatch else { return nil }
    return best.finger
  }

  func commitEnrollment(_ number: UInt64) throws(Failure) -> EnrolledFinger {
    guard let session = session(number) else { throw Self.noEnrollment(number) }
    let progress: EnrollmentProgress
    switch session.purpose {
    case .match, .chipWork: throw Self.noEnrollment(number)
    case .over(let failure): throw failure
    case .chipEnrollment(let progress): return try commit(progress, number, session)
    case .enrollment(let running): progress = running
    }
    let enrollment = progress.enrollment
    let template = try template(of: progress)
    let rate =
      progress.isRelaxed ? MatchRate.relaxed(forFrameOf: progress.largestFrame) : .strict
    let finger = try newFinger(
      named: progress.name, from: session.source.origin, rate: rate)
    // The template is stored before the keybag names it. After a crash in between, the file is
    // removed as one of a free slot.
    try templates.store(template, of: finger)
    do throws(Failure) {
      try replaceFingers(state.keybag.fingers + [finger])
    } catch {
      templates.forget(finger)
      throw error
    }
    endSession(number)
    return EnrolledFinger(
      finger: finger.finger(wantsEnrollment: false), touches: UInt32(enrollment.usableTouches),
      coverage: enrollment.coverage)
  }

  private func template(of progress: EnrollmentProgress) throws(Failure) -> FingerTemplate {
    try requireRecentPasscode(for: progress.beganAt)
    let enrollment = progress.enrollment
    guard enrollment.usableTouches >= Enrollment.minimumTouches else {
      throw Failure(
        .enrolmentIncomplete,
        """
        \(enrollment.usableTouches) usable touches were taken; a finger needs at least \
        \(Enrollment.minimumTouches)
        """, hint: "enroll again and touch the sensor until it is complete")
    }
    guard let template = enrollment.template() else {
      throw Failure(
        .enrolmentIncomplete, "several fingers touched, and it is not plain which one is meant",
        hint: "enroll again with one finger")
    }
    return template
  }

  /// - Parameter beganAt: boot time, when the passcode permitted the enrollment.
  /// - Throws: `authenticationFailed` if that is too long ago.
  func requireRecentPasscode(for beganAt: UInt64) throws(Failure) {
    guard state.platform.bootTime - beganAt <= EnrollmentProgress.longestDuration else {
      throw Failure(
        .authenticationFailed, "the passcode was given more than 15 minutes ago",
        hint: "enroll the finger again: authcore finger enroll")
    }
  }

  private static func noEnrollment(_ number: UInt64) -> Failure {
    Failure(.errSecParam, "no enrollment is under way in session \(number)")
  }

  func newFinger(
    named name: String, from origin: FrameOrigin, rate: MatchRate, chip: ChipBinding? = nil
  ) throws(Failure) -> FingerRecord {
    let keybag = state.keybag
    try keybag.refuseFinger(named: name)
    guard let slot = keybag.freeSlot else { throw .tooManyFingers }
    let bytes = try state.platform.randomOpenBytes(count: 4)
    let identifier = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard !keybag.fingers.contains(where: { $0.identifier == identifier }) else {
      throw Failure(.engineFailed, "the random generator repeats itself")
    }
    return FingerRecord(
      identifier: identifier, slot: slot, origin: origin, rate: rate,
      enrolledAt: state.platform.wallClock, name: name.isEmpty ? keybag.freeName : name,
      chip: chip)
  }
}

extension CoveragePicture {
  init(_ seen: SeenFinger) {
    self.init(columns: seen.columns, times: seen.times, clarity: seen.clarity)
  }
}

extension EnrollmentAdvice {
  init(_ guidance: Enrollment.Guidance) {
    self =
      switch guidance {
      case .noRidges: .noRidges
      case .tooDry: .tooDry
      case .tooWet: .tooWet
      case .tooSmall: .tooSmall
      case .poorQuality: .poorQuality
      case .moveLeft: .moveLeft
      case .moveRight: .moveRight
      case .moveUp: .moveUp
      case .moveDown: .moveDown
      case .differentPart: .differentPart
      case .notTheSameFinger: .notTheSameFinger
      case .lift: .lift
      case .joinsNothing: .joinsNothing
      }
  }
}

extension Touches {
  /// The fingers. Whether one should be enrolled again is known after the first unlock, when its
  /// template can be opened.
  var fingerList: FingerList {
    if keys.isFirstUnlocked {
      for origin in FrameOrigin.allCases { try? templates.open(origin) }
    }
    return FingerList(
      fingers: state.keybag.fingers.map {
        $0.finger(wantsEnrollment: templates.isOfEarlierFormat($0))
      })
  }

  /// Removes a finger. Items bound to the set it belonged to can no longer be opened.
  /// - Returns: the missing evidence, or nil once the finger was removed.
  func removeFinger(_ text: String, context: ContextName) throws(Failure) -> EvidenceNeeded? {
    // Refuses an unknown finger before anybody is asked.
    let finger = try state.keybag.finger(text)
    try evidence.requireProofForThisAlone(context)
    let held = evidence.evidenceSet(of: context)
    guard held.contains(.passcode) else {
      guard let control = try? AccessControl(.passcode) else { throw .passcodeNotSet }
      return EvidenceNeeded(accessControl: control, held: held)
    }
    let proof = try evidence.requirePasscode(context)
    try replaceFingers(
      state.keybag.fingers.filter { $0.identifier != finger.identifier },
      leaving: state.keybag.leftovers + (finger.chip.map { [$0] } ?? []),
      renewingWith: proof.generationsKey)
    templates.forget(finger)
    templates.removeFilesWithoutFinger()
    return nil
  }

  /// Stores another set of fingers, with a new key. With `key`, also begins a generation of class
  /// keys.
  func replaceFingers(
    _ fingers: [FingerRecord], leaving leftovers: [ChipBinding]? = nil,
    renewingWith key: HeldKey? = nil
  ) throws(Failure) {
    var next = state.keybag
    let generations = if let key { try keys.renew(&next, with: key) } else { nil as Generations? }
    next.fingers = fingers
    if let leftovers { next.leftovers = leftovers.suffix(Keybag.mostLeftovers) }
    next.fingerSet = fingers.isEmpty ? nil : HeldKey(try state.platform.randomKey())
    try state.replaceKeybag(next)
    if let generations { keys.use(generations, under: key) }
    if fingers.isEmpty { keys.disarm() }
  }
}
