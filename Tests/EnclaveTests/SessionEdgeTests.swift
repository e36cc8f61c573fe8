import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Sessions at their edges")
struct SessionEdgeTests {
  private let owner = SimulatedFinger.owner.later
  private let stranger = SimulatedFinger.stranger.later

  @Test("of 256 channels and 256 sessions one more is refused, and one that ends gives its place")
  func limits() throws {
    let device = try EnrolledDevice.unlocked()
    func open(_ channel: UInt32) throws -> FailureCode? {
      try device.failure(OpenChannel(channel: channel, isSynthetic: true))
    }
    func begin(_ session: UInt64) throws -> FailureCode? {
      try device.failure(BeginMatch(session: session, channel: 1, context: 1))
    }
    try device.openContext(1)
    for channel in 1...256 as ClosedRange<UInt32> { #expect(try open(channel) == nil) }
    #expect(try open(257) == .busy)
    for session in 1...256 as ClosedRange<UInt64> { #expect(try begin(session) == nil) }
    #expect(try begin(257) == .busy)
    try device.send(CloseChannel(channel: 256))
    try device.send(EndSession(session: 256))
    #expect(try open(257) == nil)
    #expect(try begin(257) == nil)
  }

  @Test("E5: where the last usable finger went meanwhile, a touch ends its session and is no miss")
  func lastUsableFinger() throws {
    let device = try EnrolledDevice.unlocked()
    try device.enroll(.ownersOther, name: "left")
    device.platform.files["finger-2"]?[100] ^= 1
    device.restart()
    try device.unlock()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    try device.send(RemoveFinger(finger: "right-index"), in: 7000)
    guard case .failed(let failure) = try device.touch(session, owner) else {
      Issue.record("something was compared")
      return
    }
    #expect(failure.code == .biometryNotEnrolled)
    #expect(try device.status.misses == 0)
    #expect(try device.failure(AwaitTouch(session: session)) == .errSecParam)
  }

  @Test("E5: after the end of its channel a session looks at no frame")
  func deadChannel() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    try device.awaitTouch(session)
    try device.send(SensorEnd(channel: 1, session: 0, status: 102, message: "unplugged"))
    let events = device.platform.events.count
    try device.send(owner.frame(channel: 1, session: session))
    try device.send(stranger.frame(channel: 1, session: session))
    #expect(device.platform.events.count == events)
    #expect(try device.status.misses == 0)
    #expect(try device.evidence(of: 1).isEmpty)
  }

  @Test("a name that was taken while a finger was enrolled is refused, and the finger with it")
  func nameTaken() throws {
    let device = try EnrolledDevice.unlocked()
    let session = try device.beginEnrollment(name: "left")
    for print in SimulatedFinger.ownersOther.enrollmentTouches { try device.touch(session, print) }
    try device.givePasscode(context: 7001)
    try device.send(RenameFinger(finger: "right-index", name: "left"), in: 7001)
    #expect(try device.failure(CommitEnrollment(session: session)) == .errSecDuplicateItem)
    #expect(
      try device.ask(ListFingers(), for: FingerList.self).fingers.map(\.name) == ["left"])
  }

  @Test("a finger's name has up to 64 characters, of four bytes each")
  func longestName() throws {
    let device = try EnrolledDevice.unlocked()
    let name = String(repeating: "\u{1F590}", count: 64)
    try device.send(RenameFinger(finger: "right-index", name: name), in: 7000)
    device.restart()
    #expect(try device.ask(ListFingers(), for: FingerList.self).fingers.map(\.name) == [name])
    try device.unlock()
    let longer = name + "x"
    #expect(try device.failure(RenameFinger(finger: name, name: longer)) == .errSecParam)
    // A character may be many bytes.
    let heavy = String(repeating: "e\u{301}\u{302}\u{303}", count: 64)
    #expect(heavy.count == 64)
    #expect(try device.failure(RenameFinger(finger: name, name: heavy)) == .errSecParam)
  }

  @Test("an enrollment that ended meanwhile says so before another touch is awaited")
  func ended() throws {
    let device = try EnrolledDevice.unlocked()
    let session = try device.beginEnrollment(name: "left")
    #expect(try device.failure(AwaitTouch(session: session)) == nil)
    try device.send(LockDevice())
    #expect(try device.failure(AwaitTouch(session: session)) == .authenticationFailed)
  }

  @Test("a touch too small to be used is answered with that as advice")
  func tooSmall() throws {
    let device = try SimulatedDevice.withPasscode()
    let session = try device.beginEnrollment()
    let tiny = SimulatedFinger(seed: 11, side: 40)
    let outcomes = try tiny.enrollmentTouches.map { try device.touch(session, $0) }
    #expect(outcomes.allSatisfy { $0 != nil })
    #expect(outcomes.contains(.refused(.tooSmall)), "\(outcomes)")
  }

  @Test("three usable touches are enough for a finger")
  func fewestTouches() throws {
    let device = try SimulatedDevice.withPasscode()
    let session = try device.beginEnrollment()
    for print in SimulatedFinger.owner.enrollmentTouches[..<3] { try device.touch(session, print) }
    let finger = try device.ask(CommitEnrollment(session: session), for: EnrolledFinger.self)
    #expect(finger.touches == 3)
    try device.openContext(1)
    #expect(try device.match(1, owner)?.isMatch == true)
  }

  @Test("no two fingers have one identifier, also where the random generator repeats itself")
  func repeatedIdentifier() throws {
    let files = try EnrolledDevice.beforeFirstUnlock().platform.files
    let device = SimulatedDevice(SimulatedPlatform(files: files, seed: 77))
    try device.unlock()
    try device.enroll(.ownersOther)
    let again = SimulatedDevice(SimulatedPlatform(files: device.platform.files, seed: 77))
    try again.unlock()
    #expect(throws: Failure.self) { try again.enroll(.stranger) }
    #expect(try again.ask(ListFingers(), for: FingerList.self).fingers.count == 2)
  }

  @Test("E4: removing a finger asks for the passcode, and for nothing that is there already")
  func removingAsks() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    try device.match(1, owner)
    let request = SimulatedDevice.envelope(RemoveFinger(finger: "right-index"), 1)
    let reply = device.reply(to: request.bytes.indices.map { request.bytes[$0] })
    let needed = try EvidenceNeeded.decode(reply.span)
    #expect(needed.accessControl.text == "passcode")
    #expect(needed.held == .biometry)
    #expect(try device.ask(ListFingers(), for: FingerList.self).fingers.count == 1)
  }

  @Test("K1: what is sealed after a finger was removed opens in every later enclave")
  func sealedAfterRemoval() throws {
    let device = try EnrolledDevice.unlocked()
    try device.send(RemoveFinger(finger: "right-index"), in: 7000)
    let item = try device.sealed("newer")
    device.restart()
    try device.unlock()
    #expect(try device.open(item) == .secret("newer"))
    try device.enroll(.owner)
    device.restart()
    try device.unlock()
    #expect(try device.open(item) == .secret("newer"))
  }

  @Test("E2: a finger that is enrolled meanwhile matches in a session under way")
  func enrolledMeanwhile() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    try device.enroll(.ownersOther, name: "left")
    #expect(try device.touch(session, SimulatedFinger.ownersOther.later)?.isMatch == true)
  }

  @Test("a file left of an earlier finger is gone when another finger is in its slot")
  func leftover() throws {
    let device = try SimulatedDevice.withPasscode()
    device.platform.files["adapted-1"] = [1, 2, 3]
    try device.enroll(.owner)
    #expect(device.platform.files["finger-1"] != nil)
    #expect(device.platform.files["adapted-1"] == nil)
  }

  @Test("E2: what a touch taught counts with the next touch, without a restart in between")
  func learnedAtOnce() throws {
    let device = try SimulatedDevice.withPasscode()
    try device.enroll(.ownerOnSmallSensor, name: "thumb", isSynthetic: false)
    try device.openContext(1)
    let touch = SimulatedFinger.ownerOnSmallSensor.later
    let scores = try [touch, touch.noisy].map { touch -> Double in
      let outcome = try device.match(1, touch, isSynthetic: false)
      guard case .matched(_, let score?, _) = outcome else { return 0 }
      return score
    }
    #expect(scores[1] > scores[0])
  }

  @Test("before first unlock no enrollment begins, whichever kind of finger there is")
  func beforeFirstUnlock() throws {
    let device = try EnrolledDevice.beforeFirstUnlock()
    try device.send(OpenChannel(channel: 2, isSynthetic: false))
    try device.givePasscode()
    let request = BeginEnrollment(session: 1, channel: 2, context: 7000, name: "")
    #expect(try device.failure(request) == .errSecInteractionNotAllowed)
    #expect(try device.evidence(of: 7000) == .passcode, "nothing was begun with it")
  }

  @Test("A4: without a passcode no finger is enrolled, and that is the reason given")
  func withoutPasscode() throws {
    let device = SimulatedDevice()
    try device.openContext(1)
    let request = BeginEnrollment(session: 1, channel: 1, context: 1, name: "")
    #expect(try device.failure(request) == .passcodeNotSet)
  }

  @Test("E5: a lockout says whether misses are the reason or an old file")
  func lockoutReason() throws {
    func reason(_ device: SimulatedDevice) throws -> String {
      _ = try device.failure(OpenChannel(channel: 1, isSynthetic: true))
      do {
        try device.send(BeginMatch(session: 900, channel: 1, context: 1))
        return ""
      } catch let failure as Failure {
        #expect(failure.code == .biometryLockout)
        return failure.message
      }
    }
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    for _ in 0..<5 { try device.match(1, stranger) }
    #expect(try reason(device).contains("5 touches"))
    let old = try EnrolledDevice.unlocked()
    let keybag = old.platform.files["keybag"]
    try old.send(
      ReplacePasscode(current: secret(SimulatedDevice.passcode), replacement: secret("rose 7")))
    old.platform.files["keybag"] = keybag
    old.restart()
    try old.openContext(1)
    #expect(try reason(old).contains("old copy"))
  }

  // MARK: Unlocking

  @Test("K6: a finger enrolled on a locked device unlocks nothing before the passcode has")
  func enrolledWhileLocked() throws {
    let device = try SimulatedDevice.withPasscode()
    try device.send(LockDevice())
    try device.enroll(.owner)
    try device.openContext(1)
    try device.openContext(2)
    #expect(try device.match(1, owner)?.isMatch == true)
    #expect(try device.failure(UnlockWithMatch(context: 1)) == .biometryLockout)
    #expect(try device.status.isLocked)
    #expect(try device.evidence(of: 2, reuseSeconds: 300).isEmpty)
  }

  @Test("K6: a finger enrolled on a locked device leaves biometric unlock armed")
  func enrolledWhileArmed() throws {
    let device = try EnrolledDevice.unlocked()
    try device.send(LockDevice())
    try device.enroll(.ownersOther)
    #expect(try device.status.isBiometricUnlockArmed)
    try device.openContext(1)
    try device.match(1, owner)
    #expect(try device.failure(UnlockWithMatch(context: 1)) == nil)
    #expect(try device.status.isLocked == false)
  }

  @Test("a match on a device that is unlocked, or has no passcode, has nothing to unlock")
  func nothingToUnlock() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    try device.openContext(2)
    try device.match(1, owner)
    #expect(try device.failure(UnlockWithMatch(context: 1)) == nil)
    #expect(try device.evidence(of: 2, reuseSeconds: 300).isEmpty)
    let bare = SimulatedDevice()
    try bare.openContext(1)
    #expect(try bare.failure(UnlockWithMatch(context: 1)) == nil)
    #expect(try bare.failure(UnlockWithMatch(context: 2)) == .invalidContext)
  }

  @Test("E5: one miss leaves biometric unlock armed and its reuse as it was; a lockout ends both")
  func lockoutEndsReuse() throws {
    let device = try EnrolledDevice.unlocked()
    try device.send(LockDevice())
    try device.openContext(1)
    #expect(try device.match(1, stranger)?.isMiss == true)
    #expect(try device.status.isBiometricUnlockArmed)
    try device.match(1, owner)
    try device.send(UnlockWithMatch(context: 1))
    try device.openContext(2)
    for misses in 1...5 {
      #expect(try device.evidence(of: 2, reuseSeconds: 300) == .biometry, "\(misses)")
      #expect(try device.match(1, stranger)?.isMiss == true)
    }
    #expect(try device.evidence(of: 2, reuseSeconds: 300).isEmpty)
  }
}
