import AuthcoreABI
import FingerprintMatching
import Protocol

// Sensors that match on the chip. The enclave orders each step and takes exactly one report for it.
// A report says the name of a template; whether that is a finger's shows when the name unwraps the
// finger's key.

/// An enrollment on a chip.
struct ChipEnrollment: Sendable {
  let beganAt: UInt64
  let name: String
  let opensItems: Bool
  /// Whether the chip was asked whether it knows the finger.
  var isChecked = false
  /// Names of templates that the next order removes.
  var leftovers = HeldSecret(SecretBytes(count: 0))
  /// The new template's, from when it is drawn until it is stored.
  var template: HeldSecret?
  var binding: ChipBinding?
  var touches: UInt32 = 0
  /// Whether the chip has stored the template.
  var isStored = false
}

extension Touches {
  // MARK: Sessions

  func beginMatch(
    _ request: BeginMatch, on chip: ChipDevice, from source: FrameSource
  ) throws(Failure) {
    let fingers = state.keybag.fingers.filter { $0.isOn(chip, from: source.origin) }
    guard !fingers.isEmpty else { throw .notEnrolled }
    try requireChips()
    try requireTrust()
    if let lockout = trust.lockout(of: chip) { throw lockout }
    guard !request.requiresStrictMatch else {
      throw Self.refused("it asks for a match at the strict rate, and no chip states its rate")
    }
    guard !request.opensItem || fingers.contains(where: { $0.chip?.opensItems == true }) else {
      throw Self.refused("its owner did not agree to that when the finger was enrolled")
    }
    begin(
      request.session,
      TouchSession(
        channel: request.channel, source: source, chip: chip, context: request.context.number,
        purpose: .match(isStrict: false, tellsScore: false)))
  }

  /// The core asks the policy for another proof then, as in a lockout.
  private static func refused(_ reason: String) -> Failure {
    Failure(
      .biometryLockout, "a finger on this reader's chip does not open this: \(reason)",
      hint: "give the passcode, or use a reader that delivers images")
  }

  func beginEnrollment(
    _ request: BeginEnrollment, on chip: ChipDevice, from source: FrameSource
  ) throws(Failure) {
    try requireChips()
    try Self.requireNames(of: chip)
    guard chip.isBuiltIn || source.origin != .reader || request.consent.acceptsPlug else {
      throw Failure(
        .unsupported,
        "this reader matches on the chip and can be unplugged, so that another device can imitate it",
        hint: "enroll with authcore finger enroll, which asks whether you want that")
    }
    evidence.spendPasscode(in: request.context)
    begin(
      request.session,
      TouchSession(
        channel: request.channel, source: source, chip: chip, context: request.context.number,
        purpose: .chipEnrollment(
          ChipEnrollment(
            beganAt: state.platform.bootTime, name: request.name,
            opensItems: request.consent.opensItems))))
  }

  /// A guess of a template's name counts as a touch of its finger.
  private static func requireNames(of chip: ChipDevice) throws(Failure) {
    let summary = chip.summary
    let lack =
      if summary.nameBytes < UInt32(AC_CHIP_ID_MIN) {
        "names of at most \(summary.nameBytes) bytes, which can be guessed"
      } else if !summary.has(AC_CHIP_KEEPS_ID) {
        "names of its own making, which can be guessed"
      } else if !summary.has(AC_CHIP_LISTS) {
        "names that it does not list"
      } else { String?.none }
    guard let lack else { return }
    throw Failure(
      .unsupported, "this reader's chip stores fingers under \(lack)",
      hint: "use another reader, or the passcode")
  }

  private func requireChips() throws(Failure) {
    guard state.rules.allowsChips else {
      throw Failure(
        .biometryLockout, "the policy of this machine believes no reader that matches on the chip",
        hint: "use a reader that delivers images, or ask whoever runs the machine")
    }
  }

  // MARK: Orders

  /// Orders the next step of a session from the chip's driver.
  func order(_ number: UInt64, _ session: TouchSession) throws(Failure) {
    var work = ChipOrder.Work.identify
    var names = ChipNames()
    switch session.purpose {
    case .match, .over, .enrollment: break
    case .chipWork(let progress):
      work = progress.unwanted == nil ? .list : .remove
      if let unwanted = progress.unwanted { names = try Self.names(unwanted) }
    case .chipEnrollment(var progress) where progress.isChecked:
      work = progress.template == nil ? .enroll : .touch
      if work == .enroll, let chip = session.chip {
        try draw(&progress, for: chip)
        names = try Self.orderedNames(progress)
        update(number, .chipEnrollment(progress))
      }
    case .chipEnrollment: break
    }
    state.platform.emit(
      ChipOrder(channel: session.channel, session: number, work: work, names: names.finish())
        .encoded())
  }

  /// Draws a name, and notes the template that is about to be made: after a crash it is found and
  /// removed.
  private func draw(_ progress: inout ChipEnrollment, for chip: ChipDevice) throws(Failure) {
    let name = try ChipBinding.drawName(bytes: chip.summary.nameBytes, on: state.platform)
    let binding = try ChipBinding(
      device: chip, name: name.bytes, opensItems: progress.opensItems, state: state)
    try keep(leftovers: state.keybag.leftovers + [binding])
    progress.template = name
    progress.binding = binding
  }

  func keep(leftovers: [ChipBinding]) throws(Failure) {
    var next = state.keybag
    next.leftovers = leftovers.suffix(Keybag.mostLeftovers)
    try state.replaceKeybag(next, for: .setting)
  }

  private static func names(_ held: HeldSecret) throws(Failure) -> ChipNames {
    do throws(DecodeError) {
      return try ChipNames(held.bytes)
    } catch {
      throw Failure(.engineFailed, "the names of templates are damaged")
    }
  }

  private static func orderedNames(_ progress: ChipEnrollment) throws(Failure) -> ChipNames {
    let leftovers = try names(progress.leftovers)
    var names = ChipNames(capacity: leftovers.count + 1)
    if let template = progress.template { names.append(template.bytes) }
    names.append(contentsOf: leftovers)
    return names
  }

  // MARK: Reports

  /// A chip's report arrived. Without an order it is ignored.
  func reportArrived(_ report: borrowing ChipReport) {
    let number = report.session
    guard let session = takeAwaited(number, on: report.channel) else { return }
    guard let chip = session.chip else { return end(number, with: .wrongAnswer) }
    if let reason = refusal(of: session) { return end(number, with: reason) }
    do throws(Failure) {
      let heard = try Heard(report)
      switch session.purpose {
      case .match: try compare(heard, number, session, chip)
      case .chipEnrollment(let progress): try take(heard, number, progress, session, chip)
      case .chipWork(let progress): try take(heard, number, progress, chip)
      case .enrollment, .over: break
      }
    } catch {
      end(number, with: error)
    }
  }

  /// A report whose names were checked.
  struct Heard: ~Copyable {
    let result: ChipReport.Result
    let percent: UInt8
    /// The one that matched or was stored.
    let name: HeldSecret?
    let listed: ChipNames

    init(_ report: borrowing ChipReport) throws(Failure) {
      let listed = try Self.names(report.listed)
      let names = try Self.names(report.name)
      var found: HeldSecret?
      names.forEach { found = HeldSecret(SecretBytes(copying: $0)) }
      self.listed = listed
      name = names.count == 1 ? found : nil
      (result, percent) = (report.result, report.percent)
    }

    /// The name, if it is that of a listed template.
    var listedName: HeldSecret? {
      var isListed = false
      listed.forEach { listed in
        if let name, name.bytes.isEqual(to: listed) { isListed = true }
      }
      return isListed ? name : nil
    }

    private static func names(_ bytes: borrowing SecretBytes) throws(Failure) -> ChipNames {
      do throws(DecodeError) {
        return try ChipNames(bytes)
      } catch {
        throw Failure(.driverFailed, "the reader's driver names templates in an impossible way")
      }
    }
  }

  private func compare(
    _ heard: borrowing Heard, _ number: UInt64, _ session: TouchSession, _ chip: ChipDevice
  ) throws(Failure) {
    if let lockout = trust.lockout(of: chip) { throw lockout }
    let candidates = state.keybag.fingers.filter { $0.isOn(chip, from: session.source.origin) }
    guard !candidates.isEmpty else { throw .notEnrolled }
    // A match is counted before its name is tried, so that no guess is free. Without one nothing
    // opens, whatever is listed.
    if heard.result != .matched, sort(heard.listed, of: chip).own.isEmpty {
      throw Failure(
        .biometryNotEnrolled, "the reader no longer holds an enrolled finger",
        hint: "remove the finger and enroll it again: authcore finger enroll")
    }
    try countTouch()
    guard heard.result == .matched, let name = heard.listedName,
      let finger = candidates.first(where: { $0.chip?.opens(with: name.bytes, state) == true }),
      let binding = finger.chip
    else { return missed(number) }
    matched(finger, binding.opensItems ? .relaxedBiometry : .chipPresence, number, session)
  }

  private func take(
    _ heard: borrowing Heard, _ number: UInt64, _ progress: ChipEnrollment,
    _ session: TouchSession, _ chip: ChipDevice
  ) throws(Failure) {
    var progress = progress
    switch heard.result {
    case .matched:
      let own = heard.name.flatMap { name in
        state.keybag.fingers.first { $0.chip?.opens(with: name.bytes, state) == true }
      }
      endSession(number)
      guard let own else { throw Self.foreignFinger }
      return emit(number, .duplicate(finger: own.name))
    case .noMatch, .done:
      let sorted = sort(heard.listed, of: chip)
      let kept = heard.listed.count - sorted.leftovers.count
      guard chip.summary.capacity == 0 || kept < Int(chip.summary.capacity) else {
        throw Self.fullChip
      }
      progress.isChecked = true
      progress.leftovers = HeldSecret(sorted.leftovers.finish())
    case .progress: progress.touches += 1
    case .stored:
      progress.touches += 1
      try note(heard.name, &progress)
    }
    update(number, .chipEnrollment(progress))
    emit(
      number,
      .taken(
        TakenTouch(
          touches: progress.touches, coverage: Double(heard.percent) / 100,
          isComplete: progress.isStored, advice: nil, picture: .empty)))
  }

  /// The chip stored the template under the drawn name.
  private func note(_ name: HeldSecret?, _ progress: inout ChipEnrollment) throws(Failure) {
    guard let drawn = progress.binding, let name, drawn.opens(with: name.bytes, state) else {
      throw Failure(
        .driverFailed, "the reader stored the template under another name than it was given",
        hint: "enroll the finger again: authcore finger enroll")
    }
    progress.template = nil
    progress.isStored = true
  }

  private static var foreignFinger: Failure {
    Failure(
      .duplicateFinger,
      "the reader knows this finger already, from another system or another user",
      hint: "enroll another finger, or see authcore finger list --on-reader")
  }

  private static var fullChip: Failure {
    Failure(
      .tooManyFingers, "the reader has no room for another finger",
      hint: "see what it holds: authcore finger list --on-reader; authcore finger clear-reader "
        + "removes all of it")
  }

  /// What a capture that ended means for an enrollment on a chip; nil if it can go on.
  func chipFailure(_ end: SensorEnd, _ session: TouchSession) -> Failure? {
    guard case .chipEnrollment = session.purpose else { return nil }
    switch end.status {
    case Int32(AC_ERR_FULL): return Self.fullChip
    case Int32(AC_ERR_EXISTS): return Self.foreignFinger
    default: return nil
    }
  }

  // MARK: Fingers

  func commit(
    _ progress: ChipEnrollment, _ number: UInt64, _ session: TouchSession
  ) throws(Failure) -> EnrolledFinger {
    try requireRecentPasscode(for: progress.beganAt)
    guard progress.isStored, let binding = progress.binding else {
      throw Failure(
        .enrolmentIncomplete, "the reader has not stored the finger yet",
        hint: "enroll again and touch the sensor until it is complete")
    }
    let finger = try newFinger(
      named: progress.name, from: session.source.origin, rate: .strict, chip: binding)
    try replaceFingers(
      state.keybag.fingers + [finger],
      leaving: state.keybag.leftovers.filter { $0.wrapped != binding.wrapped })
    endSession(number)
    return EnrolledFinger(
      finger: finger.finger(wantsEnrollment: false), touches: progress.touches, coverage: 1)
  }
}

extension Failure {
  /// A frame of a sensor that matches on the chip, or a report of one that delivers frames.
  static var wrongAnswer: Failure {
    Failure(
      .driverFailed, "the reader's driver answers as a sensor of another kind",
      hint: "try another version of the driver")
  }
}
