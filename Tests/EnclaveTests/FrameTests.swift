import Cryptography
import FingerprintMatching
import GrayImage
import Protocol
import Testing

@testable import EnclaveEngine

@Suite("What a driver sends unasked, and what it could learn")
struct UnaskedFrameTests {
  private let stranger = SimulatedFinger.stranger.later

  @Test(
    "E5: two frames for one requested touch count one miss, and none counts that nobody asked for")
  func oneFrame() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    try device.send(stranger.frame(channel: 1, session: session))
    #expect(try device.status.misses == 0)
    try device.awaitTouch(session)
    for _ in 0..<3 { try device.send(stranger.frame(channel: 1, session: session)) }
    #expect(try device.status.misses == 1)
    #expect(device.platform.events.count { $0.outcome.isMiss } == 1)
    try device.send(SimulatedFinger.owner.later.frame(channel: 1, session: session))
    try device.send(SensorRetry(channel: 1, session: session, reason: 2))
    try device.send(SensorEnd(channel: 1, session: session, status: 100, message: ""))
    #expect(device.platform.events.count { $0.session == session } == 1)
    #expect(try device.evidence(of: 1).isEmpty)
    try device.awaitTouch(session)
    try device.send(SimulatedFinger.owner.later.frame(channel: 1, session: session))
    #expect(try device.evidence(of: 1) == .biometry)
  }

  @Test("a touch is awaited in a session that there is")
  func noSession() throws {
    let device = try EnrolledDevice.unlocked()
    #expect(try device.failure(AwaitTouch(session: 77)) == .errSecParam)
  }

  @Test("the score is told to who tests a finger of an unlocked device, and to nobody else")
  func scores() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    for (isTest, isLocked) in [(true, false), (false, false), (true, true), (false, true)] {
      if isLocked { try device.send(LockDevice()) } else { try device.unlock() }
      for (number, print) in [stranger, SimulatedFinger.owner.later].enumerated() {
        let session = UInt64(500 + number)
        _ = try device.failure(OpenChannel(channel: 1, isSynthetic: true))
        try device.send(
          BeginMatch(session: session, channel: 1, context: 1, tellsScore: isTest))
        switch try device.touch(session, print) {
        case .matched(_, let score, _), .missed(let score, _, _, _, _):
          #expect((score != nil) == (isTest && !isLocked), "\(isTest), \(isLocked)")
        case let other: Issue.record("nothing was compared: \(String(describing: other))")
        }
        try device.send(EndSession(session: session))
      }
    }
    for line in device.platform.logged { #expect(!line.contains("score")) }
  }

  @Test(
    "the comparison for duplicates is no oracle: a passcode gives one enrollment, a match ends it")
  func duplicates() throws {
    let device = try EnrolledDevice.unlocked()
    let session = try device.beginEnrollment()
    let request = BeginEnrollment(session: 900, channel: 1, context: 7000, name: "")
    #expect(try device.failure(request) == .authenticationFailed)
    #expect(
      try device.touch(session, SimulatedFinger.owner.later) == .duplicate(finger: "right-index"))
    #expect(try device.touch(session, SimulatedFinger.owner.later) == nil)
    #expect(try device.failure(request) == .authenticationFailed)
  }

  @Test("an enrollment takes at most 60 frames")
  func bounded() throws {
    let device = try EnrolledDevice.unlocked()
    let session = try device.beginEnrollment()
    for _ in 0..<60 {
      guard case .refused = try device.touch(session, .blank) else {
        Issue.record("a blank frame was used")
        return
      }
    }
    guard case .failed(let failure) = try device.touch(session, .blank) else {
      Issue.record("a 61st frame was looked at")
      return
    }
    #expect(failure.code == .enrolmentIncomplete)
    #expect(try device.touch(session, .blank) == nil)
  }

  @Test("what a driver says steers nobody's terminal")
  func words() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    try device.awaitTouch(session)
    try device.send(
      SensorEnd(
        channel: 1, session: session, status: 100, message: "no\u{202E}evil \u{1B}[2J\nfine é"))
    #expect(
      device.platform.events.last?.outcome
        == .ended(status: 100, message: "no\u{FFFD}evil \u{FFFD}[2J\u{FFFD}fine é"))
  }
}

@Suite("Frames that a driver delivers again")
struct RepeatedFrameTests {
  private let owner = SimulatedFinger.owner
  private let refused = TouchEvent.Outcome.retry(reason: 8)

  /// A device with the owner's finger of a reader, unlocked.
  private func device() throws -> SimulatedDevice {
    let device = try SimulatedDevice.withPasscode()
    try device.enroll(owner, name: "right-index", isSynthetic: false)
    return device
  }

  /// What a frame of the reader comes to in a context of its own.
  private func outcome(
    of print: SimulatedPrint, on device: SimulatedDevice, context: UInt64 = 1
  ) throws -> TouchEvent.Outcome? {
    try device.openContext(context)
    return try device.match(context, print, isSynthetic: false)
  }

  @Test("FINDINGS A2: of three times the same frame one opens an item behind biometry-current")
  func opensOnce() throws {
    let device = try device()
    let item = try device.sealed("guarded", .whenUnlockedThisDeviceOnly, access: "biometry-current")
    #expect(try outcome(of: owner.later, on: device)?.isMatch == true)
    #expect(try device.open(item, context: 1) == .secret("guarded"))
    for context in [2, 3] as [UInt64] {
      #expect(try outcome(of: owner.later, on: device, context: context) == refused)
      #expect(try device.evidence(of: context).isEmpty)
    }
    #expect(device.platform.logged.contains { $0.contains("for the second time") })
    #expect(try outcome(of: owner.laterTouches[1], on: device)?.isMatch == true)
  }

  @Test("FINDINGS A2: a frame that comes again is no miss either, and is forgotten by no restart")
  func countsNothing() throws {
    let device = try device()
    let stranger = SimulatedFinger.stranger.later
    #expect(try outcome(of: stranger, on: device)?.isMiss == true)
    #expect(try outcome(of: owner.later, on: device)?.isMatch == true)
    for isRestarted in [false, true] {
      if isRestarted {
        device.restart()
        try device.unlock()
      }
      for print in [stranger, owner.later] {
        #expect(try outcome(of: print, on: device) == refused, "\(isRestarted)")
      }
      #expect(try device.status.misses == 0)
    }
  }

  @Test("FINDINGS A2: what a finger was enrolled with opens nothing, and adds nothing to a finger")
  func enrollment() throws {
    let device = try device()
    for print in owner.enrollmentTouches { #expect(try outcome(of: print, on: device) == refused) }
    let session = try device.beginEnrollment(name: "thumb", isSynthetic: false)
    let print = SimulatedFinger.ownersOther.enrollmentTouches[0]
    guard case .taken = try device.touch(session, print, isSynthetic: false) else {
      Issue.record("the first touch is not used")
      return
    }
    device.restart()
    try device.unlock()
    let another = try device.beginEnrollment(name: "thumb", isSynthetic: false)
    for _ in 0..<5 { #expect(try device.touch(another, print, isSynthetic: false) == refused) }
    #expect(try device.failure(CommitEnrollment(session: another)) == .enrolmentIncomplete)
  }

  @Test(
    "what a driver says of a frame makes no other frame of it; a blank one is never another touch")
  func told() throws {
    let device = try device()
    #expect(try outcome(of: owner.later, on: device)?.isMatch == true)
    let image = owner.later.image
    let session = try device.beginMatch(1, isSynthetic: false)
    try device.awaitTouch(session)
    try device.send(
      SensorFrame(
        channel: device.channel(false), session: session, width: UInt32(image.width),
        height: UInt32(image.height), pixelsPerInch: 501,
        extents: Array(repeating: 0..<image.width - 1, count: image.height), pixels: image.pixels))
    #expect(device.platform.events.last?.outcome == refused)
    for _ in 0..<2 { #expect(try outcome(of: .blank, on: device) == .retry(reason: 1)) }
  }

  @Test(
    "a tape of the core's own may repeat; its fingers match neither a reader's frames nor others")
  func tape() throws {
    let device = try device()
    func matches(_ session: UInt64, _ channel: UInt32, _ source: FrameSource) throws -> Bool {
      _ = try device.failure(OpenChannel(channel: channel, source: source))
      try device.openContext(1)
      try device.send(BeginMatch(session: session, channel: channel, context: 1))
      try device.awaitTouch(session)
      try device.send(owner.later.frame(channel: channel, session: session))
      return try device.evidence(of: 1) == .biometry
    }
    let tape = FrameSource(.tape, mayRepeat: true)
    #expect(throws: Failure.self) { try matches(500, 7, tape) }
    try device.givePasscode()
    try device.send(BeginEnrollment(session: 501, channel: 7, context: 7000, name: "tape"))
    for print in owner.enrollmentTouches {
      try device.awaitTouch(501)
      try device.send(print.frame(channel: 7, session: 501))
    }
    let enrolled = try device.ask(CommitEnrollment(session: 501), for: EnrolledFinger.self)
    #expect(!enrolled.finger.isSynthetic)
    #expect(try device.status.tapeFingers == 1 && device.status.realFingers == 1)
    try device.givePasscode()
    try device.send(RemoveFinger(finger: "right-index"), in: 7000)
    for session in 502...504 as ClosedRange<UInt64> { #expect(try matches(session, 7, tape)) }
    #expect(throws: Failure.self) { try matches(505, 8, FrameSource(.reader)) }
    #expect(throws: Failure.self) { try matches(506, 9, FrameSource(.synthetic)) }
    device.restart()
    try device.unlock()
    #expect(try matches(507, 7, tape))
  }

  @Test("a finger of before readers and tapes were told apart matches both, and no synthetic one")
  func earlier() {
    let finger = FingerRecord(
      identifier: 1, slot: 1, origin: nil, rate: .strict, enrolledAt: 2, name: "n")
    #expect(FrameOrigin.allCases.filter(finger.matches) == [.reader, .tape])
    for origin in FrameOrigin.allCases {
      let finger = FingerRecord(
        identifier: 1, slot: 1, origin: origin, rate: .strict, enrolledAt: 2, name: "n")
      #expect(FrameOrigin.allCases.filter(finger.matches) == [origin])
    }
  }

  @Test("a driver that calls itself synthetic may not repeat for that")
  func synthetic() throws {
    let device = try EnrolledDevice.unlocked()
    try device.send(OpenChannel(channel: 7, source: FrameSource(.synthetic)))
    for (session, isMatch) in [(500, true), (501, false)] as [(UInt64, Bool)] {
      try device.openContext(1)
      try device.send(BeginMatch(session: session, channel: 7, context: 1))
      try device.awaitTouch(session)
      try device.send(owner.later.frame(channel: 7, session: session))
      #expect(device.platform.events.last?.outcome.isMatch == isMatch)
    }
  }

  @Test("the last 256 frames are known again, in a file that fits into one block of a disk")
  func bounded() throws {
    var record = AttemptsRecord(Attempts(), .none)
    for number in 1...300 as ClosedRange<UInt64> {
      record.frames.insert(number)
      record.attempts.countPasscode(
        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 32),
        at: BootMoment(boot: [UInt8](repeating: 1, count: 16), time: 1),
        mayErase: true)
    }
    let key = try SymmetricKey()
    let file = try record.sealed(with: key)
    #expect(file.count <= 4096)
    #expect(try AttemptsRecord(opening: file, with: key) == record)
    #expect(!record.frames.contains(44) && record.frames.contains(45))
    #expect(try AttemptsRecord(Attempts(), .none).sealed(with: key).count >= 2048)
  }
}
