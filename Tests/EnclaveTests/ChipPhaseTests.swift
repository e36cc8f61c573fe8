import Protocol
import Testing

@testable import EnclaveEngine

// The chip goes away, or the enclave ends, at each step.
extension ChipTests {
  /// How far an enrollment came before the chip went away.
  enum Phase: Int, CaseIterable {
    case begun, checked, drawn, touched, stored
  }

  private func restartAndPlug() throws {
    device.restart()
    try device.unlock()
    try plug()
  }

  @Test(
    "unplugged at any step of an enrollment, no finger is left, and the next one removes the template",
    arguments: Phase.allCases, [false, true])
  func unpluggedWhileEnrolling(phase: Phase, restarts: Bool) throws {
    try plug()
    #expect(try beginEnrollment(100) == nil)
    var name: [UInt8]?
    if phase.rawValue >= Phase.checked.rawValue { _ = try step(100, .noMatch) }
    if phase.rawValue >= Phase.drawn.rawValue {
      name = try step(100, .progress, percent: 30).names.first
    }
    if phase.rawValue >= Phase.touched.rawValue {
      #expect(try step(100, .progress, percent: 60).work == .touch)
    }
    if phase == .stored { _ = try step(100, .stored, percent: 100, name: name) }
    try device.send(CloseChannel(channel: Self.channel))
    #expect(try device.failure(CommitEnrollment(session: 100)) != nil)
    if restarts { try restartAndPlug() } else { try plug(Self.chip(instance: "2")) }
    #expect(try device.status.chipFingers == 0)
    #expect(try beginEnrollment(101) == nil)
    _ = try step(101, .noMatch, listed: name.map { [$0] } ?? [])
    let order = try step(101, .progress, percent: 50)
    #expect(order.work == .enroll)
    #expect(Array(order.names.dropFirst()) == (name.map { [$0] } ?? []))
  }

  @Test("unplugged while a touch is awaited, nothing is proved, counted, or taken later")
  func unpluggedWhileMatching() throws {
    try plug()
    let name = try enroll()
    #expect(try beginMatch(1) == nil)
    _ = try device.failure(AwaitTouch(session: 1))
    try device.send(CloseChannel(channel: Self.channel))
    try plug(Self.chip(instance: "2"))
    try device.send(
      ChipReport(
        channel: Self.channel, session: 1, result: .matched, name: Self.names([name]),
        listed: Self.names([name])))
    #expect(try device.evidence(of: 1).isEmpty)
    #expect(try device.status.misses == 0)
  }

  @Test(
    "a crash between removing a finger and its template leaves a template that opens nothing",
    arguments: [false, true])
  func crashWhileRemoving(restarts: Bool) throws {
    try plug()
    let name = try enroll()
    try device.send(RenameFinger(finger: "thumb", name: "first"), in: presence())
    #expect(try beginEnrollment(101) == nil)
    _ = try step(101, .noMatch, listed: [name])
    let second = try #require(try step(101, .progress, percent: 50, listed: [name]).names.first)
    _ = try step(101, .stored, percent: 100, name: second)
    _ = try device.ask(CommitEnrollment(session: 101), for: EnrolledFinger.self)
    try device.send(RemoveFinger(finger: "first"), in: presence())
    if restarts { try restartAndPlug() }
    #expect(try device.status.chipFingers == 1)
    #expect(try beginMatch(1) == nil)
    #expect(try step(1, .matched, name: name, listed: [name, second]).outcome?.isMiss == true)
    #expect(try step(1, .matched, name: second, listed: [name, second]).outcome?.isMatch == true)
    try device.openContext(2)
    try device.send(
      BeginChipWork(
        session: 5, channel: Self.channel, context: contextName(2), work: .tidy))
    _ = try step(5, .done, listed: [name, second])
    let removed = try step(5, .done, listed: [second])
    #expect(removed.work == .remove && removed.names == [name])
  }

  @Test("unplugged between listing and removing, the fingers and what is left to remove stay known")
  func unpluggedWhileClearing() throws {
    try plug()
    let name = try enroll()
    try device.send(
      BeginChipWork(
        session: 5, channel: Self.channel, context: contextName(presence()), work: .clear))
    #expect(try step(5, .done, listed: [name]).work == .list)
    try device.send(CloseChannel(channel: Self.channel))
    try plug()
    #expect(try device.status.chipFingers == 1)
    #expect(try beginMatch(1) == nil)
    #expect(try step(1, .matched, name: name, listed: [name]).outcome?.isMatch == true)
  }
}
