import AuthcoreABI
import Protocol
import Testing

@testable import EnclaveEngine

/// The enclave's side of a sensor that matches on the chip, with the driver's host played by the test.
@Suite("E4, X6: what a chip says opens a finger's key, or nothing")
struct ChipTests {
  let device: SimulatedDevice
  static let channel: UInt32 = 9

  init() throws { device = try SimulatedDevice.withPasscode() }

  static func chip(
    at port: String = "1-2", instance: String = "1", pluggedIn: UInt64? = nil,
    abilities: Int = AC_CHIP_KEEPS_ID | AC_CHIP_LISTS, nameBytes: UInt32 = 64,
    isBuiltIn: Bool = true
  ) -> ChipDevice {
    ChipDevice(
      summary: ChipSummary(
        abilities: UInt32(abilities), capacity: 10, nameBytes: nameBytes, touches: 2),
      identity: "06cb:00bd at \(port)", instance: instance,
      // The first one has been there since boot.
      pluggedIn: pluggedIn ?? (instance == "1" ? 0 : .max), isBuiltIn: isBuiltIn)
  }

  func plug(_ chip: ChipDevice = ChipTests.chip()) throws {
    try device.send(CloseChannel(channel: Self.channel))
    try device.send(
      OpenChannel(channel: Self.channel, source: FrameSource(.reader), chip: chip))
  }

  static func names(_ names: [[UInt8]]) -> SecretBytes {
    var list = ChipNames(capacity: names.count)
    for name in names { list.append(name.span) }
    return list.finish()
  }

  /// One step: what the enclave ordered, and what came of the report.
  func step(
    _ session: UInt64, _ result: ChipReport.Result, percent: UInt8 = 0, name: [UInt8]? = nil,
    listed: [[UInt8]] = []
  ) throws -> (work: ChipOrder.Work?, names: [[UInt8]], outcome: TouchEvent.Outcome?) {
    let before = device.platform.events.count
    device.platform.order = nil
    _ = try device.failure(AwaitTouch(session: session))
    let order = device.platform.order
    try device.send(
      ChipReport(
        channel: Self.channel, session: session, result: result, percent: percent,
        name: Self.names(name.map { [$0] } ?? []), listed: Self.names(listed)))
    let events = device.platform.events
    return (order?.work, order?.names ?? [], events.count > before ? events.last?.outcome : nil)
  }

  func beginEnrollment(
    _ session: UInt64, opensItems: Bool = true, acceptsPlug: Bool = false
  ) throws -> FailureCode? {
    try device.givePasscode()
    return try device.failure(
      BeginEnrollment(
        session: session, channel: Self.channel, context: contextName(7000), name: "thumb",
        consent: ChipConsent(opensItems: opensItems, acceptsPlug: acceptsPlug)))
  }

  /// Enrolls a finger; the name of its template, which the enclave drew.
  func enroll(opensItems: Bool = true) throws -> [UInt8] {
    #expect(try beginEnrollment(100, opensItems: opensItems) == nil)
    #expect(try step(100, .noMatch).work == .identify)
    let first = try step(100, .progress, percent: 50)
    #expect(first.work == .enroll)
    let name = try #require(first.names.first)
    let last = try step(100, .stored, percent: 100, name: name, listed: [])
    #expect(last.work == .touch)
    let finger = try device.ask(CommitEnrollment(session: 100), for: EnrolledFinger.self).finger
    #expect(finger.kind == .chip && finger.opensItems == opensItems)
    return name
  }

  func beginMatch(
    _ session: UInt64, context: UInt64 = 1, opensItem: Bool = false, isStrict: Bool = false
  ) throws -> FailureCode? {
    try device.openContext(context)
    return try device.failure(
      BeginMatch(
        session: session, channel: Self.channel, context: contextName(context),
        requiresStrictMatch: isStrict, opensItem: opensItem))
  }

  @Test(
    "the name of its template is evidence, as far as the owner agreed", arguments: [true, false])
  func match(opensItems: Bool) throws {
    try plug()
    let name = try enroll(opensItems: opensItems)
    #expect(name.count == 32)
    #expect(try beginMatch(1) == nil)
    let matched = try step(1, .matched, name: name, listed: [name])
    #expect(matched.outcome?.isMatch == true)
    #expect(
      try device.evidence(of: 1) == (opensItems ? .relaxedBiometry : .chipPresence))
    #expect(try beginMatch(2, opensItem: true) == (opensItems ? nil : .biometryLockout))
    #expect(try beginMatch(3, isStrict: true) == .biometryLockout)
  }

  @Test("another name, a bare yes, and names that no chip can have are misses or failures")
  func imitation() throws {
    try plug()
    let name = try enroll()
    var other = name
    other[31] ^= 1
    #expect(try beginMatch(1) == nil)
    #expect(try step(1, .matched, name: other, listed: [name]).outcome?.isMiss == true)
    #expect(try step(1, .matched, listed: [name]).outcome?.isMiss == true)
    #expect(try step(1, .noMatch, listed: [name]).outcome?.isMiss == true)
    #expect(try device.status.misses == 3)
    #expect(try device.evidence(of: 1).isEmpty)
  }

  @Test("E5: five misses lock fingers out, whatever the chip says")
  func lockout() throws {
    try plug()
    let name = try enroll()
    #expect(try beginMatch(1) == nil)
    for _ in 1...5 { _ = try step(1, .noMatch, listed: [name]) }
    #expect(try device.status.isLockedOut)
    #expect(try step(1, .matched, name: name, listed: [name]).outcome?.isMatch != true)
    #expect(try beginMatch(2) == .biometryLockout)
  }

  @Test("a report that nobody asked for, or a second one, is ignored")
  func unasked() throws {
    try plug()
    let name = try enroll()
    #expect(try beginMatch(1) == nil)
    let before = device.platform.events.count
    func report() throws {
      try device.send(
        ChipReport(
          channel: Self.channel, session: 1, result: .matched, name: Self.names([name]),
          listed: Self.names([name])))
    }
    try report()
    #expect(device.platform.events.count == before)
    #expect(try step(1, .noMatch, listed: [name]).outcome?.isMiss == true)
    try report()
    #expect(device.platform.events.count == before + 1)
    #expect(try device.evidence(of: 1).isEmpty)
  }

  @Test("the same chip at another port, and another chip, match nothing")
  func otherDevice() throws {
    try plug()
    _ = try enroll()
    try plug(Self.chip(at: "1-3"))
    #expect(try beginMatch(1) == .biometryNotEnrolled)
  }

  @Test("a chip that was away counts once the passcode was given, and for a day")
  func away() throws {
    try plug()
    let name = try enroll()
    try plug(Self.chip(instance: "2"))
    #expect(try beginMatch(1) == .biometryLockout)
    try device.givePasscode()
    #expect(try beginMatch(2) == nil)
    #expect(try step(2, .matched, name: name, listed: [name]).outcome?.isMatch == true)
    device.platform.advance(seconds: 25 * 3600)
    #expect(try beginMatch(3) == .biometryLockout)
    try device.givePasscode()
    #expect(try beginMatch(4) == nil)
  }

  @Test("the first chip after a start counts if it was there before the passcode, and no other")
  func firstSight() throws {
    try plug()
    let name = try enroll()
    device.restart()
    try device.unlock()
    let passcode = device.platform.bootTime
    try plug(Self.chip(instance: "2", pluggedIn: passcode))
    #expect(try beginMatch(1) == .biometryLockout)
    try plug(Self.chip(instance: "3", pluggedIn: passcode - 1))
    #expect(try beginMatch(2) == nil)
    #expect(try step(2, .matched, name: name, listed: [name]).outcome?.isMatch == true)
  }

  @Test("a restart keeps the finger, and what the passcode permits")
  func restart() throws {
    try plug()
    let name = try enroll()
    device.restart()
    try device.unlock()
    try plug()
    #expect(try beginMatch(1) == nil)
    #expect(try step(1, .matched, name: name, listed: [name]).outcome?.isMatch == true)
  }

  @Test("a template that vanished from the chip is said, and costs no try")
  func vanished() throws {
    try plug()
    _ = try enroll()
    for listed in [[], [[UInt8](repeating: 7, count: 32)]] {
      #expect(try beginMatch(1) == nil)
      guard case .failed(let failure) = try step(1, .noMatch, listed: listed).outcome else {
        Issue.record("the session goes on")
        continue
      }
      #expect(failure.code == .biometryNotEnrolled)
    }
    #expect(try device.status.misses == 0)
  }

  @Test(
    "a crash at any write of an enrollment leaves a finger, or a template that the next one removes"
  )
  func crash() throws {
    try plug()
    #expect(try beginEnrollment(100) == nil)
    _ = try step(100, .noMatch)
    let name = try #require(try step(100, .progress, percent: 50).names.first)
    _ = try step(100, .stored, percent: 100, name: name)
    device.restart()
    try device.unlock()
    try plug()
    #expect(try device.status.chipFingers == 0)
    #expect(try beginMatch(1) == .biometryNotEnrolled)
    #expect(try beginEnrollment(101) == nil)
    _ = try step(101, .noMatch, listed: [name])
    let order = try step(101, .progress, percent: 50)
    #expect(order.work == .enroll && order.names.count == 2 && order.names.last == name)
  }

  @Test(
    "E4: a chip is ordered no name that it did not list, and a device at another port no name of this one",
    arguments: [("1-2", false), ("1-2", true), ("1-3", false), ("1-3", true)])
  func orderedNames(port: String, lists: Bool) throws {
    try plug()
    #expect(try beginEnrollment(100) == nil)
    _ = try step(100, .noMatch)
    let name = try #require(try step(100, .progress, percent: 50).names.first)
    _ = try step(100, .stored, percent: 100, name: name)
    try plug(Self.chip(at: port))
    #expect(try beginEnrollment(101) == nil)
    let question = try step(101, .noMatch, listed: lists ? [name] : [])
    #expect(question.work == .identify && question.names.isEmpty)
    let order = try step(101, .progress, percent: 50)
    #expect(order.work == .enroll)
    #expect(order.names.contains(name) == (lists && port == "1-2"))
  }

  @Test("the chip's own finger is a duplicate, and one of another system is refused without a name")
  func duplicates() throws {
    try plug()
    let name = try enroll()
    #expect(try beginEnrollment(101) == .errSecDuplicateItem)
    try device.send(
      RenameFinger(finger: "thumb", name: "first"), in: try presence())
    #expect(try beginEnrollment(102) == nil)
    guard case .duplicate(let finger) = try step(102, .matched, name: name, listed: [name]).outcome
    else {
      Issue.record("no duplicate was found")
      return
    }
    #expect(finger == "first")
    #expect(try beginEnrollment(103) == nil)
    guard
      case .failed(let failure) = try step(
        103, .matched, name: [UInt8](repeating: 9, count: 16), listed: [name]
      ).outcome
    else {
      Issue.record("a finger of another system was enrolled")
      return
    }
    #expect(failure.code == .duplicateFinger && !failure.message.contains("first"))
  }

  func presence() throws -> UInt64 {
    try device.givePasscode(context: 7001)
    return 7001
  }

  @Test("a reader that can be unplugged needs the owner's word, and a full one is said to be full")
  func consent() throws {
    try plug(Self.chip(isBuiltIn: false))
    #expect(try beginEnrollment(100) == .unsupported)
    #expect(try beginEnrollment(101, acceptsPlug: true) == nil)
    let others = (0..<10).map { [UInt8](repeating: $0 + 1, count: 16) }
    guard case .failed(let failure) = try step(101, .noMatch, listed: others).outcome else {
      Issue.record("an enrollment began on a full chip")
      return
    }
    #expect(failure.code == .tooManyFingers)
  }

  @Test("the machine's policy can refuse chips")
  func policy() throws {
    try plug()
    _ = try enroll()
    try device.send(TightenRules(rules: EnclaveRules(allowsChips: false)))
    #expect(try beginMatch(1) == .biometryLockout)
    #expect(try beginEnrollment(101) != nil)
  }

  @Test("clearing takes the passcode, and removes this user's fingers on the chip")
  func clear() throws {
    try plug()
    let name = try enroll()
    let foreign = [UInt8](repeating: 3, count: 16)
    try device.openContext(1)
    let work = BeginChipWork(
      session: 5, channel: Self.channel, context: contextName(1), work: .clear)
    #expect(try device.failure(work) == .authenticationFailed)
    try device.givePasscode(context: 1)
    #expect(try device.failure(work) == nil)
    let listed = try step(5, .done, listed: [name, foreign])
    #expect(listed.work == .list)
    let removed = try step(5, .done)
    #expect(removed.work == .remove && Set(removed.names) == [name, foreign])
    #expect(
      removed.outcome
        == .chip(ReaderContents(own: 0, leftovers: 0, others: 0, capacity: 10), isLast: true))
    #expect(try device.status.chipFingers == 0)
  }

  @Test("a name that the enclave draws is random, and begins and ends as chips allow")
  func drawnNames() throws {
    var seen: Set<[UInt8]> = []
    for _ in 0..<300 {
      let name = try ChipBinding.drawName(bytes: 64, on: device.platform)
      let bytes = name.bytes.copied
      #expect(bytes.count == 32 && ![0x00, 0x20, 0xFF].contains(bytes[0]) && bytes[31] != 0)
      seen.insert(bytes)
    }
    #expect(seen.count == 300)
  }
}
