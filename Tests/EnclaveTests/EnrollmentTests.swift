import FingerprintMatching
import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Enrollment")
struct EnrollmentTests {
  @Test("touches are taken with growing coverage, and make a finger that matches")
  func enrolls() throws {
    let device = try SimulatedDevice.withPasscode()
    let session = try device.beginEnrollment(name: "left thumb")
    var coverages: [Double] = []
    for print in SimulatedFinger.owner.enrollmentTouches {
      if case .taken(let taken) = try device.touch(session, print) {
        coverages.append(taken.coverage)
        #expect(Int(taken.touches) == coverages.count)
        #expect(taken.picture.places.contains { $0 > 0 })
      }
    }
    #expect(coverages.count >= 3)
    #expect(coverages == coverages.sorted())
    let enrolled = try device.ask(CommitEnrollment(session: session), for: EnrolledFinger.self)
    #expect(enrolled.finger.name == "left thumb")
    #expect(enrolled.finger.isSynthetic)
    #expect(enrolled.finger.enrolledAt == device.platform.wallClock)
    #expect(Int(enrolled.touches) == coverages.count)
    #expect(enrolled.coverage == coverages.last)
    let list = try device.ask(ListFingers(), for: FingerList.self)
    #expect(list.fingers == [enrolled.finger])
    try device.openContext(1)
    #expect(try device.match(1, SimulatedFinger.owner.later)?.isMatch == true)
  }

  @Test("an enrolled finger matches after a restart, from the first unlock on")
  func persists() throws {
    let device = try EnrolledDevice.beforeFirstUnlock()
    try device.unlock()
    try device.openContext(1)
    #expect(try device.match(1, SimulatedFinger.owner.later)?.isMatch == true)
  }

  @Test("enrolling needs the passcode in its context: a match is not enough")
  func needsPasscode() throws {
    let bare = SimulatedDevice()
    try bare.openContext(1)
    try bare.send(OpenChannel(channel: 1, isSynthetic: true))
    let request = BeginEnrollment(session: 900, channel: 1, context: 1, name: "")
    #expect(try bare.failure(request) == .passcodeNotSet)
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    try device.match(1, SimulatedFinger.owner.later)
    #expect(try device.failure(request) == .authenticationFailed)
    let finger = RemoveFinger(finger: "right-index")
    #expect(try device.failure(finger, in: 1) == .authenticationFailed)
  }

  @Test("before first unlock nothing can be enrolled")
  func beforeFirstUnlock() throws {
    let device = try EnrolledDevice.beforeFirstUnlock()
    try device.givePasscode()
    try device.send(OpenChannel(channel: 1, isSynthetic: true))
    let request = BeginEnrollment(session: 900, channel: 1, context: 7000, name: "")
    #expect(try device.failure(request) == .errSecInteractionNotAllowed)
  }

  @Test("fewer than three usable touches are no finger, and the enrollment can go on")
  func incomplete() throws {
    let device = try SimulatedDevice.withPasscode()
    let session = try device.beginEnrollment()
    let touches = SimulatedFinger.owner.enrollmentTouches
    for print in touches[..<2] { try device.touch(session, print) }
    #expect(try device.failure(CommitEnrollment(session: session)) == .enrolmentIncomplete)
    for print in touches[2...] { try device.touch(session, print) }
    try device.send(CommitEnrollment(session: session), expecting: EnrolledFinger.self)
    #expect(try device.failure(CommitEnrollment(session: session)) == .errSecParam)
  }

  @Test("another finger's touches wait outside, whenever they come, and never match")
  func anotherFinger() throws {
    let device = try SimulatedDevice.withPasscode()
    let session = try device.beginEnrollment()
    let (owner, other) = (SimulatedFinger.owner, SimulatedFinger.stranger)
    for (number, print) in owner.enrollmentTouches.enumerated() {
      guard case .taken = try device.touch(session, print) else {
        Issue.record("touch \(number) was not taken")
        return
      }
      let strange = try device.touch(session, other.enrollmentTouches[number])
      #expect(strange == .refused(.notTheSameFinger))
    }
    let enrolled = try device.ask(CommitEnrollment(session: session), for: EnrolledFinger.self)
    #expect(Int(enrolled.touches) == owner.enrollmentTouches.count)
    try device.openContext(1)
    for print in other.laterTouches {
      #expect(try device.match(1, print)?.isMatch == false)
    }
    #expect(try device.match(1, owner.later)?.isMatch == true)
  }

  @Test("a frame without ridges is refused, with that as advice")
  func blank() throws {
    let device = try SimulatedDevice.withPasscode()
    let session = try device.beginEnrollment()
    #expect(try device.touch(session, .blank) == .refused(.noRidges))
  }

  @Test("a finger that is enrolled already is refused at its first usable touch, by name")
  func duplicate() throws {
    let device = try EnrolledDevice.unlocked()
    let session = try device.beginEnrollment()
    let outcome = try device.touch(session, SimulatedFinger.owner.enrollmentTouches[0])
    #expect(outcome == .duplicate(finger: "right-index"))
    #expect(try device.touch(session, SimulatedFinger.owner.enrollmentTouches[1]) == nil)
    #expect(try device.status.syntheticFingers == 1)
  }

  @Test("two enrollments of one finger at once make one finger: the second ends with the first")
  func duplicateAtCommit() throws {
    let device = try SimulatedDevice.withPasscode()
    let first = try device.beginEnrollment()
    let second = try device.beginEnrollment(context: 8)
    for print in SimulatedFinger.owner.enrollmentTouches {
      try device.touch(first, print)
      try device.touch(second, print)
    }
    try device.send(CommitEnrollment(session: first), expecting: EnrolledFinger.self)
    #expect(try device.failure(CommitEnrollment(session: second)) == .authenticationFailed)
  }

  @Test("enrolling the finger of one kind again as the other kind is no duplicate")
  func otherKind() throws {
    let device = try EnrolledDevice.unlocked()
    try device.enroll(.owner, name: "real", isSynthetic: false)
    #expect(try device.status.realFingers == 1)
  }

  @Test("five fingers can be enrolled and a sixth cannot")
  func five() throws {
    let device = try EnrolledDevice.unlocked()
    for seed in 20..<24 as Range<UInt64> { try device.enroll(SimulatedFinger(seed: seed)) }
    #expect(try device.status.syntheticFingers == 5)
    try device.givePasscode()
    let request = BeginEnrollment(session: 900, channel: 1, context: 7000, name: "")
    #expect(try device.failure(request) == .tooManyFingers)
    let names = try device.ask(ListFingers(), for: FingerList.self).fingers.map(\.name)
    #expect(names == ["right-index", "finger-1", "finger-2", "finger-3", "finger-4"])
    try device.send(RemoveFinger(finger: "finger-2"), in: 7000)
    try device.givePasscode()
    try device.send(request)
  }

  @Test("each change of the set gives a domain state that never was; without fingers there is none")
  func domainState() throws {
    let device = try SimulatedDevice.withPasscode()
    var states = [try device.status.domainState]
    #expect(states[0].isEmpty)
    for _ in 0..<2 {
      try device.enroll(.owner, name: "a")
      states.append(try device.status.domainState)
      try device.enroll(.ownersOther, name: "b")
      states.append(try device.status.domainState)
      device.restart()
      #expect(try device.status.domainState == states.last)
      try device.unlock()
      try device.send(RemoveFinger(finger: "b"), in: 7000)
      states.append(try device.status.domainState)
      try device.givePasscode()
      try device.send(RemoveFinger(finger: "a"), in: 7000)
      #expect(try device.status.domainState.isEmpty)
    }
    #expect(Set(states).count == 7)
  }

  @Test("a finger is renamed and removed by name or identifier")
  func naming() throws {
    let device = try EnrolledDevice.unlocked()
    let finger = try device.ask(ListFingers(), for: FingerList.self).fingers[0]
    try device.send(RenameFinger(finger: finger.identifier, name: "thumb"), in: 7000)
    try device.send(RenameFinger(finger: "thumb", name: "thumb"), in: 7000)
    #expect(
      try device.failure(RenameFinger(finger: "right-index", name: "x")) == .fingerNotFound)
    try device.givePasscode()
    #expect(
      try device.failure(RemoveFinger(finger: "right-index"), in: 7000) == .fingerNotFound)
    try device.send(RemoveFinger(finger: "thumb"), in: 7000)
    #expect(try device.ask(ListFingers(), for: FingerList.self).fingers.isEmpty)
    #expect(device.platform.files["finger-1"] == nil)
  }

  @Test(
    "a name that is empty, long, of several lines, taken, or like an identifier is refused",
    arguments: [
      "", String(repeating: "n", count: 65), "a\nb", "a\u{0}b", "0123abcd", "left",
      "thumb\u{202E}gnp", "a\u{2066}b", "a\u{200F}b", "a\u{61C}b", "a\u{2028}b",
    ])
  func badNames(name: String) throws {
    let device = try EnrolledDevice.unlocked()
    try device.enroll(.ownersOther, name: "left")
    let expected: FailureCode = name == "left" ? .errSecDuplicateItem : .errSecParam
    #expect(try device.failure(RenameFinger(finger: "right-index", name: name)) == expected)
    guard !name.isEmpty else { return }
    try device.givePasscode()
    let request = BeginEnrollment(session: 900, channel: 1, context: 7000, name: name)
    #expect(try device.failure(request) == expected)
  }

  @Test("fingers can be removed before first unlock and while locked")
  func removedWhileClosed() throws {
    let device = try EnrolledDevice.beforeFirstUnlock()
    try device.givePasscode()
    try device.send(RemoveFinger(finger: "right-index"), in: 7000)
    #expect(try device.status.syntheticFingers == 0)
  }
}

extension SimulatedDevice {
  /// Sends a message and drops its reply, which must be of a kind.
  func send<Reply: WireMessage>(
    _ message: borrowing some WireMessage & ~Copyable, expecting type: Reply.Type
  ) throws { _ = try ask(message, for: type) }
}
