import Protocol
import Testing

@testable import EnclaveEngine

/// Contexts that a client opens for several requests: bound to who opened them, and to what the
/// device was then.
@Suite("Contexts that outlive a request")
struct LastingContextTests {
  private func open(_ name: ContextName, on device: SimulatedDevice) throws {
    try device.send(OpenContext(context: name, outlivesRequest: true))
  }

  /// A device with a lasting context 1 that holds a match and the passcode, and an item.
  private func provedDevice() throws -> (SimulatedDevice, StoredItem) {
    let device = try EnrolledDevice.unlocked()
    let item = try device.sealed("gold", .afterFirstUnlockThisDeviceOnly, access: "presence")
    try open(contextName(1), on: device)
    try device.match(1, SimulatedFinger.owner.later)
    try device.send(
      VerifyPasscode(context: 1, unlocksDevice: false, passcode: secret(SimulatedDevice.passcode)))
    return (device, item)
  }

  private func evidence(
    _ name: ContextName, on device: SimulatedDevice
  ) throws -> ContextEvidence {
    try device.ask(GetContextEvidence(context: name), for: ContextEvidence.self)
  }

  @Test("A8: one touch opens every item that asks for one, and says how old it is")
  func severalItems() throws {
    let device = try EnrolledDevice.unlocked()
    let items = try ["biometry-any", "presence", "biometry-current", "passcode"].map {
      try device.sealed($0, .whenUnlockedThisDeviceOnly, access: $0)
    }
    try open(contextName(1), on: device)
    #expect(try device.match(1, SimulatedFinger.owner.later)?.isMatch == true)
    for item in items.dropLast() {
      let name = item.protection.accessControl?.text ?? ""
      #expect(try device.open(item, context: 1) == .secret(name))
    }
    #expect(try device.open(items[3], context: 1) == .needed("passcode", held: .biometry))
    device.platform.advance(seconds: 42)
    try device.send(
      VerifyPasscode(context: 1, unlocksDevice: false, passcode: secret(SimulatedDevice.passcode)))
    device.platform.advance(seconds: 3)
    #expect(try device.open(items[3], context: 1) == .secret("passcode"))
    #expect(
      try evidence(contextName(1), on: device)
        == ContextEvidence(
          evidence: [.biometry, .passcode], finger: "right-index", matchAge: 45, passcodeAge: 3))
  }

  @Test(
    "E4 K2: a context is nothing to another connection, and nothing to another application",
    arguments: [otherConnection, otherApplication])
  func foreign(stranger: Requester) throws {
    let (device, item) = try provedDevice()
    let mine = contextName(1)
    let theirs = ContextName(1, of: stranger)
    #expect(try device.open(item, in: theirs) == .failed(.invalidContext))
    #expect(try device.failure(GetContextEvidence(context: theirs)) == .invalidContext)
    #expect(try device.failure(UnlockWithMatch(context: theirs)) == .invalidContext)
    #expect(
      try device.failure(BeginMatch(session: 50, channel: 1, context: theirs)) == .invalidContext)
    #expect(
      try device.failure(BeginEnrollment(session: 51, channel: 1, context: theirs, name: "x"))
        == .invalidContext)
    // Not even tried: a wrong passcode would be counted.
    let writes = device.platform.writes
    #expect(
      try device.failure(
        VerifyPasscode(context: theirs, unlocksDevice: true, passcode: secret("wrong")))
        == .invalidContext)
    #expect(device.platform.writes == writes)
    let removal = ApplicationRequest.encoded(
      context: theirs, message: RemoveFinger(finger: "right-index").encoded())
    #expect(device.engine.handle(removal.bytes).bytes[0] == EvidenceNeeded.number)
    // Closing what is not theirs closes nothing.
    try device.send(CloseContext(context: theirs))
    try device.send(CloseContexts(of: stranger))
    try device.send(ForgetEvidence(context: theirs))
    #expect(try evidence(mine, on: device).evidence == [.biometry, .passcode])
    #expect(try device.open(item, in: mine) == .secret("gold"))
  }

  @Test("a touch under way for a context does not reach that of another connection")
  func foreignTouch() throws {
    let device = try EnrolledDevice.unlocked()
    let theirs = ContextName(2, of: otherConnection)
    try open(contextName(1), on: device)
    try open(theirs, on: device)
    let session = try device.beginMatch(1)
    #expect(try device.touch(session, SimulatedFinger.owner.later)?.isMatch == true)
    #expect(try evidence(contextName(1), on: device).evidence == .biometry)
    #expect(try evidence(theirs, on: device).evidence.isEmpty)
  }

  /// What ends a context.
  enum End: CaseIterable, Sendable {
    case invalidated
    case connectionEnded
    case locked
    case passcodeChanged
    case passcodeRemoved
    case fingerEnrolled
    case fingerRemoved
    case restarted

    func happen(to device: SimulatedDevice) throws {
      switch self {
      case .invalidated: try device.send(CloseContext(context: 1))
      case .connectionEnded: try device.send(CloseContexts(of: requester))
      case .locked: try device.send(LockDevice())
      case .passcodeChanged: try EvidenceEndTests.Event.passcodeChanged.happen(on: device)
      case .passcodeRemoved: try EvidenceEndTests.Event.passcodeRemoved.happen(on: device)
      case .fingerEnrolled: try EvidenceEndTests.Event.fingerEnrolled.happen(on: device)
      case .fingerRemoved: try EvidenceEndTests.Event.fingerRemoved.happen(on: device)
      case .restarted: try EvidenceEndTests.Event.restarted.happen(on: device)
      }
    }
  }

  @Test(
    "ATTACKS 4: a context ends for good with whatever ends evidence, and gives nothing afterwards",
    arguments: End.allCases)
  func ends(end: End) throws {
    let (device, item) = try provedDevice()
    #expect(try device.open(item, context: 1) == .secret("gold"))
    try end.happen(to: device)
    #expect(try device.failure(GetContextEvidence(context: 1)) == .invalidContext)
    let outcome = try device.open(item, context: 1)
    let isGone = outcome == .failed(.invalidContext) || outcome == .failed(.errSecDecode)
    #expect(isGone, "\(outcome)")
    #expect(try device.failure(UnlockWithMatch(context: 1)) == .invalidContext)
    #expect(
      try device.failure(
        VerifyPasscode(
          context: 1, unlocksDevice: false, passcode: secret(SimulatedDevice.passcode)))
        == .invalidContext)
    #expect(
      try device.failure(BeginMatch(session: 90, channel: 1, context: 1)) == .invalidContext)
    // What ended is not made good again by what comes later.
    if end != .passcodeRemoved {
      try device.givePasscode(end == .passcodeChanged ? "rose 7" : SimulatedDevice.passcode)
    }
    #expect(try device.failure(GetContextEvidence(context: 1)) == .invalidContext)
  }

  @Test(
    "a touch that was awaited when its context ended is told so, and proves nothing",
    arguments: [End.locked, .passcodeChanged, .fingerEnrolled])
  func awaitedTouch(end: End) throws {
    let device = try EnrolledDevice.unlocked()
    try open(contextName(1), on: device)
    let session = try device.beginMatch(1)
    try end.happen(to: device)
    let (misses, writes) = (try device.status.misses, device.platform.writes)
    guard case .failed(let failure) = try device.touch(session, SimulatedFinger.owner.later)
    else {
      Issue.record("the touch was compared")
      return
    }
    #expect(failure.code == .invalidContext)
    #expect(failure.hint == "open a new one")
    #expect(try device.failure(GetContextEvidence(context: 1)) == .invalidContext)
    let after = (try device.status.misses, device.platform.writes)
    #expect(after == (misses, writes), "it counts as no try")
  }

  @Test("closing a context, or its connection, ends the touches awaited for it")
  func endsSessions() throws {
    let device = try EnrolledDevice.unlocked()
    for close in [End.invalidated, .connectionEnded] {
      try open(contextName(1), on: device)
      let session = try device.beginMatch(1)
      try close.happen(to: device)
      #expect(try device.touch(session, SimulatedFinger.owner.later) == nil)
    }
  }

  @Test("what is forgotten in a context has to be proved anew; the context stays")
  func forgets() throws {
    let (device, item) = try provedDevice()
    try device.send(ForgetEvidence(context: contextName(1)))
    #expect(try device.open(item, context: 1) == .needed("presence", held: []))
    try device.match(1, SimulatedFinger.owner.later)
    #expect(try device.open(item, context: 1) == .secret("gold"))
  }

  @Test("a proof counts for five minutes however long the context lives; a new one counts anew")
  func age() throws {
    let (device, item) = try provedDevice()
    device.platform.advance(seconds: 300)
    #expect(try device.open(item, context: 1) == .secret("gold"))
    #expect(try evidence(contextName(1), on: device).passcodeAge == 300)
    device.platform.advance(seconds: 1)
    #expect(try device.open(item, context: 1) == .needed("presence", held: []))
    #expect(
      try evidence(contextName(1), on: device) == ContextEvidence(evidence: [], finger: nil))
    try device.match(1, SimulatedFinger.owner.later)
    #expect(try device.open(item, context: 1) == .secret("gold"))
  }

  @Test("E5: once biometrics are locked out, matches that outlive their request count no more")
  func lockout() throws {
    let (device, item) = try provedDevice()
    let touched = try device.sealed("gold", .whenUnlockedThisDeviceOnly, access: "biometry-any")
    try device.openContext(8)
    for _ in 0..<5 { try device.match(8, SimulatedFinger.stranger.later) }
    #expect(try device.status.isLockedOut)
    #expect(try device.open(touched, context: 1) == .needed("biometry-any", held: .passcode))
    // The passcode that was given still counts.
    #expect(try device.open(item, context: 1) == .secret("gold"))
  }

  @Test("a passcode that was given for something else changes no fingers")
  func fingers() throws {
    let (device, _) = try provedDevice()
    #expect(
      try device.failure(RemoveFinger(finger: "right-index"), in: 1) == .errSecParam)
    #expect(
      try device.failure(BeginEnrollment(session: 60, channel: 1, context: 1, name: "left"))
        == .errSecParam)
    #expect(try device.ask(ListFingers(), for: FingerList.self).fingers.count == 1)
    try device.givePasscode()
    try device.send(RemoveFinger(finger: "right-index"), in: 7000)
  }

  @Test("FINDINGS A4: an unlock by touch answers a policy, and is evidence for no item and no key")
  func unlockIsNoEvidence() throws {
    let device = try EnrolledDevice.unlocked()
    let item = try device.sealed("gold", .afterFirstUnlockThisDeviceOnly, access: "biometry-any")
    let keys = try [[], AccessControl.Additions.reusable].map {
      try device.generated(.afterFirstUnlockThisDeviceOnly, access: "presence", additions: $0)
    }
    try device.send(LockDevice())
    try device.openContext(8)
    try device.match(8, SimulatedFinger.owner.later)
    try device.send(UnlockWithMatch(context: 8))
    try open(contextName(1), on: device)
    try device.send(OpenContext(context: contextName(2), outlivesRequest: true, isDoor: true))
    device.platform.advance(seconds: 20)
    for context in [1, 2] as [UInt64] {
      let answer = try device.ask(
        GetContextEvidence(context: contextName(context), reuseSeconds: 20),
        for: ContextEvidence.self)
      #expect(answer.evidence == .biometry && answer.matchAge == 20)
      #expect(try device.open(item, context: context) == .needed("biometry-any", held: []))
      for key in keys {
        #expect(try device.use(key, context: context) == .needed("presence", held: []))
      }
      let access = RequireAccess(accessControl: try AccessControl(.biometryAny))
      #expect(try device.failure(access, in: context) == .authenticationFailed)
      let policy = RequireAccess(accessControl: access.accessControl, reuseSeconds: 20)
      #expect(try device.failure(policy, in: context) == nil)
      #expect(try device.open(item, context: context) == .needed("biometry-any", held: []))
    }
    // In the request that unlocked, the touch counts.
    #expect(try device.open(item, context: 8) == .secret("gold"))
  }

  @Test("FINDINGS A4: what changes the device or what others reach takes a proof of its own")
  func deeds() throws {
    let (device, _) = try provedDevice()
    #expect(
      try device.failure(ChangeSettings(lockRule: .minutes(480)), in: 1) == .errSecParam)
    #expect(
      try device.failure(RenameFinger(finger: "right-index", name: "left"), in: 1) == .errSecParam)
    #expect(throws: Failure.self) {
      try device.ask(RequirePresence(), in: contextName(1), for: Done.self)
    }
    try device.givePasscode()
    try device.send(ChangeSettings(lockRule: .minutes(480)), in: 7000)
  }

  @Test("contexts opened and closed ten thousand times leave nothing behind")
  func tenThousand() throws {
    let device = SimulatedDevice()
    for number in 1...UInt64(10_000) {
      try device.send(OpenContext(context: number, outlivesRequest: true))
      try device.send(CloseContext(context: number))
    }
    #expect(try device.failure(GetContextEvidence(context: 10_000)) == .invalidContext)
    try device.send(OpenContext(context: 10_001, outlivesRequest: true))
    #expect(try evidence(contextName(10_001), on: device).evidence.isEmpty)
  }

  @Test("of ten thousand contexts opened without closing one, a connection gets its share")
  func flood() throws {
    let device = SimulatedDevice()
    var opened = 0
    for number in 1...UInt64(10_000) {
      switch try device.failure(OpenContext(context: number, outlivesRequest: true)) {
      case nil: opened += 1
      case .busy: continue
      case let code?: Issue.record("\(code)")
      }
    }
    #expect(opened == ContextLimits.ofConnection)
    // Others are not disturbed, and the connection's end gives everything back.
    try open(ContextName(20_000, of: otherConnection), on: device)
    try device.send(CloseContexts(of: requester))
    for number in 1...UInt64(ContextLimits.ofConnection) {
      try open(contextName(number), on: device)
    }
  }

  @Test("contexts beyond two of a connection have a limit together, and the error helps")
  func floodOfConnections() throws {
    let device = SimulatedDevice()
    var number: UInt64 = 0
    let connections =
      ContextLimits.shared / (ContextLimits.ofConnection - ContextLimits.certain) + 1
    for connection in 1...UInt64(connections) {
      let left = ContextLimits.shared - (Int(connection) - 1) * 30
      for _ in 0..<min(ContextLimits.ofConnection, ContextLimits.certain + left) {
        number += 1
        try open(
          ContextName(number, of: Requester(application: "a", connection: connection)), on: device)
      }
    }
    for _ in 0..<ContextLimits.certain {
      number += 1
      try open(ContextName(number, of: Requester(application: "a", connection: 5000)), on: device)
    }
    let late = ContextName(number + 1, of: Requester(application: "a", connection: 5000))
    do {
      try open(late, on: device)
      Issue.record("one more than the most was opened")
    } catch let failure as Failure {
      #expect(failure.code == .busy)
      #expect(failure.hint?.isEmpty == false)
    }
    try device.send(CloseContexts(of: Requester(application: "a", connection: 1)))
    try open(late, on: device)
  }
}
