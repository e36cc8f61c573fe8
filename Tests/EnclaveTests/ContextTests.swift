import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Contexts")
struct ContextTests {
  @Test("a context that is not there, or is there already, is refused")
  func identity() throws {
    let device = SimulatedDevice()
    #expect(try device.failure(GetContextEvidence(context: 1)) == .invalidContext)
    try device.openContext(1)
    #expect(try device.failure(OpenContext(context: 1)) == .errSecParam)
    try device.send(CloseContext(context: 1))
    #expect(try device.failure(GetContextEvidence(context: 1)) == .invalidContext)
    try device.send(CloseContext(context: 1))
  }

  @Test("a context made again under a number begins empty")
  func beginsEmpty() throws {
    let device = try SimulatedDevice.withPasscode()
    try device.givePasscode()
    try device.openContext(7000)
    #expect(try device.evidence(of: 7000).isEmpty)
  }

  @Test("the number of contexts is limited")
  func limited() throws {
    let device = SimulatedDevice()
    for id in 1...UInt64(ContextLimits.ofConnection) {
      try device.send(OpenContext(context: id))
    }
    #expect(try device.failure(OpenContext(context: noContext)) == .errSecParam)
    #expect(try device.failure(OpenContext(context: 9_999_999)) == .busy)
    try device.send(CloseContext(context: 3))
    try device.send(OpenContext(context: 9_999_999))
  }

  @Test("closing a context ends its sessions")
  func endsSessions() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    try device.send(CloseContext(context: 1))
    #expect(try device.touch(session, SimulatedFinger.owner.later) == nil)
  }

  @Test("E4: evidence names the finger that matched, and is gone after a restart")
  func evidenceNames() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    try device.match(1, SimulatedFinger.owner.later)
    let evidence = try device.ask(GetContextEvidence(context: 1), for: ContextEvidence.self)
    #expect(evidence == ContextEvidence(evidence: .biometry, finger: "right-index", matchAge: 0))
    device.restart()
    #expect(try device.failure(GetContextEvidence(context: 1)) == .invalidContext)
  }
}

@Suite("The end of evidence")
struct EvidenceEndTests {
  /// What happens elsewhere while a finger is enrolled.
  enum Event: CaseIterable, Sendable {
    case passcodeChanged
    case passcodeRemoved
    case fingerRemoved
    case fingerEnrolled
    case locked
    case contextClosed
    case restarted

    func happen(on device: SimulatedDevice) throws {
      switch self {
      case .passcodeChanged:
        try device.send(
          ReplacePasscode(
            current: secret(SimulatedDevice.passcode), replacement: secret("rose 7")))
      case .passcodeRemoved:
        try device.send(ErasePasscode(current: secret(SimulatedDevice.passcode)))
      case .fingerRemoved:
        try device.givePasscode(context: 8)
        try device.send(RemoveFinger(finger: "right-index"), in: 8)
      case .fingerEnrolled: try device.enroll(.stranger, context: 8)
      case .locked: try device.send(LockDevice())
      case .contextClosed: try device.send(CloseContext(context: 7000))
      case .restarted:
        device.restart()
        try device.unlock()
        try device.send(OpenChannel(channel: 1, isSynthetic: true))
      }
    }
  }

  @Test(
    "E4: an enrollment ends with what changes meanwhile, however far it has come",
    arguments: Event.allCases)
  func enrollment(event: Event) throws {
    let device = try EnrolledDevice.unlocked()
    let session = try device.beginEnrollment(name: "left")
    let touches = SimulatedFinger.ownersOther.enrollmentTouches
    for print in touches { try device.touch(session, print) }
    try event.happen(on: device)
    let names = try device.ask(ListFingers(), for: FingerList.self).fingers.map(\.name)
    // The commit fails, before and after another touch.
    for _ in 0..<2 {
      let code = try device.failure(CommitEnrollment(session: session))
      #expect(code == .authenticationFailed || code == .errSecParam)
      let outcome = try device.touch(session, touches[0])
      if let outcome {
        guard case .failed = outcome else {
          Issue.record("a touch was taken: \(outcome)")
          continue
        }
      }
    }
    let after = try device.ask(ListFingers(), for: FingerList.self).fingers.map(\.name)
    #expect(after == names)
    #expect(!after.contains("left"))
  }

  @Test("a change of the passcode or of the fingers ends all evidence", arguments: Event.allCases)
  func changes(event: Event) throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    try device.match(1, SimulatedFinger.owner.later)
    try device.givePasscode()
    try event.happen(on: device)
    switch event {
    case .contextClosed:
      #expect(try device.failure(GetContextEvidence(context: 7000)) == .invalidContext)
    case .restarted:
      #expect(try device.failure(GetContextEvidence(context: 1)) == .invalidContext)
    default:
      #expect(try device.evidence(of: 1).isEmpty)
      #expect(try device.evidence(of: 7000).isEmpty)
      #expect(
        try device.failure(RemoveFinger(finger: "right-index"), in: 7000)
          == (event == .passcodeRemoved || event == .fingerRemoved
            ? .fingerNotFound : .authenticationFailed))
    }
  }

  @Test("a proof counts for five minutes")
  func age() throws {
    let device = try EnrolledDevice.unlocked()
    let item = try device.sealed("secret", .whenUnlockedThisDeviceOnly, access: "presence")
    try device.send(LockDevice())
    try device.openContext(1)
    try device.match(1, SimulatedFinger.owner.later)
    try device.givePasscode()
    device.platform.advance(seconds: 300)
    #expect(try device.evidence(of: 1) == .biometry)
    #expect(try device.evidence(of: 7000) == .passcode)
    device.platform.advance(seconds: 1)
    #expect(try device.evidence(of: 1).isEmpty)
    #expect(try device.evidence(of: 7000).isEmpty)
    #expect(try device.failure(UnlockWithMatch(context: 1)) == .authenticationFailed)
    #expect(
      try device.failure(RemoveFinger(finger: "right-index"), in: 7000)
        == .authenticationFailed)
    try device.unlock()
    #expect(try device.open(item, context: 1) == .needed("presence", held: []))
  }

  @Test("an enrollment may take fifteen minutes")
  func longEnrollment() throws {
    let device = try EnrolledDevice.unlocked()
    for (seconds, isInTime) in [(901, false), (900, true)] as [(UInt64, Bool)] {
      let session = try device.beginEnrollment(name: "left")
      for print in SimulatedFinger.ownersOther.enrollmentTouches {
        try device.touch(session, print)
      }
      device.platform.advance(seconds: seconds)
      #expect(
        try device.failure(CommitEnrollment(session: session))
          == (isInTime ? nil : .authenticationFailed))
      try device.send(EndSession(session: session))
    }
  }
}
