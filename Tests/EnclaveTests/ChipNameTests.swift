import AuthcoreABI
import Protocol
import Testing

@testable import EnclaveEngine

// Names of templates are what opens a finger's key.
extension ChipTests {
  @Test(
    "FINDINGS A8: no finger is enrolled under a name that can be guessed, or that is not listed",
    arguments: [
      (AC_CHIP_KEEPS_ID | AC_CHIP_LISTS, 1), (AC_CHIP_KEEPS_ID | AC_CHIP_LISTS, 15),
      (AC_CHIP_LISTS, 64), (AC_CHIP_KEEPS_ID, 64),
    ] as [(Int, UInt32)])
  func unusableNames(abilities: Int, nameBytes: UInt32) throws {
    try plug(Self.chip(abilities: abilities, nameBytes: nameBytes))
    #expect(try beginEnrollment(100) == .unsupported)
  }

  @Test("FINDINGS A8: sixteen bytes are enough, and all of them are random")
  func shortestName() throws {
    try plug(Self.chip(nameBytes: 16))
    let name = try enroll()
    #expect(name.count == 16)
    #expect(try beginMatch(1) == nil)
    #expect(try step(1, .matched, name: name, listed: [name]).outcome?.isMatch == true)
  }

  @Test("a template that is stored under another name than was drawn is no finger's")
  func otherNameStored() throws {
    try plug()
    #expect(try beginEnrollment(100) == nil)
    _ = try step(100, .noMatch)
    _ = try step(100, .progress, percent: 50)
    let stored = try step(
      100, .stored, percent: 100, name: [UInt8](repeating: 0x5A, count: 20)
    ).outcome
    guard case .failed(let failure) = stored else {
      Issue.record("the chip's own name was taken")
      return
    }
    #expect(failure.code == .driverFailed)
    #expect(try device.failure(CommitEnrollment(session: 100)) != nil)
  }

  /// What a chip reports that does not know the name, and what else it lists.
  enum Guess: CaseIterable {
    case alone, listed, besideOwn, otherLength, ownUnlisted, withoutName

    func name(_ own: [UInt8]) -> [UInt8]? {
      switch self {
      case .alone, .listed, .besideOwn: [UInt8](repeating: 7, count: own.count)
      case .otherLength: Array(own.dropLast())
      case .ownUnlisted: own
      case .withoutName: nil
      }
    }

    func list(_ own: [UInt8]) -> [[UInt8]] {
      switch self {
      case .alone: []
      case .listed, .otherLength: [name(own) ?? []]
      case .besideOwn, .withoutName: [own]
      case .ownUnlisted: [[UInt8](repeating: 9, count: own.count)]
      }
    }
  }

  @Test(
    "FINDINGS A8: a match by a name that was not listed or opens nothing is a miss, and says no more",
    arguments: Guess.allCases)
  func guess(_ guess: Guess) throws {
    try plug()
    let own = try enroll()
    #expect(try beginMatch(1) == nil)
    for misses in 1...5 {
      let said = try step(1, .matched, name: guess.name(own), listed: guess.list(own)).outcome
      guard case .missed(_, _, UInt32(misses), misses == 5, _) = said else {
        Issue.record("guess \(misses): \(String(describing: said))")
        return
      }
    }
    #expect(try device.status.isLockedOut)
    #expect(try device.evidence(of: 1).isEmpty)
    #expect(try beginMatch(2) == .biometryLockout)
  }

  @Test("FINDINGS A8: failures between guesses give a chip no more of them")
  func failuresBetween() throws {
    try plug()
    let own = try enroll()
    let stranger = [UInt8](repeating: 7, count: own.count)
    let malformed: [UInt8] = [0, 0]
    var session: UInt64 = 0
    for misses in 1...5 {
      session += 1
      #expect(try beginMatch(session) == nil)
      _ = try step(session, .matched, name: stranger, listed: [stranger])
      #expect(try device.status.misses == misses)
      // A retry, a failure, names that no chip can have, a template that is gone.
      _ = try device.failure(AwaitTouch(session: session))
      try device.send(SensorRetry(channel: Self.channel, session: session, reason: 1))
      _ = try device.failure(AwaitTouch(session: session))
      try device.send(
        SensorEnd(channel: Self.channel, session: session, status: 102, message: "busy"))
      _ = try device.failure(AwaitTouch(session: session))
      try device.send(
        ChipReport(
          channel: Self.channel, session: session, result: .matched,
          name: SecretBytes(copying: malformed.span), listed: Self.names([own])))
      session += 1
      if misses < 5 { #expect(try beginMatch(session) == nil) }
      _ = try step(session, .noMatch, listed: [stranger])
      #expect(try device.status.misses == misses)
    }
    #expect(try device.status.isLockedOut)
    #expect(try beginMatch(100) == .biometryLockout)
  }

  @Test("FINDINGS A8: a guess is counted before its name is tried, so that no crash saves a try")
  func countedFirst() throws {
    try plug()
    let own = try enroll()
    #expect(try beginMatch(1) == nil)
    device.platform.writesLeft = 0
    let said = try step(1, .matched, name: own, listed: [own]).outcome
    device.platform.writesLeft = nil
    guard case .failed = said else {
      Issue.record("it was judged without being counted: \(String(describing: said))")
      return
    }
    #expect(try device.evidence(of: 1).isEmpty)
  }
}
