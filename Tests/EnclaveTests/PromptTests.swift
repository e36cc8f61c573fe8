import FingerprintMatching
import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Touches of one prompt add up")
struct PromptTests {
  /// On a sensor of 112 pixels a side, with one part or another.
  private static let finger = SimulatedFinger(seed: 11, side: 112, reach: 40, touches: 60)
  private static let stranger = SimulatedFinger(seed: 13, side: 112).later

  /// Two touches of the finger that miss, each alone, and match in one prompt.
  private static let pair = Result { () throws -> [SimulatedPrint] in
    let device = try PromptTests.device()
    var doubtful: [SimulatedPrint] = []
    for print in finger.laterTouches {
      if case .missed(let score?, _, _, _, _) = try device.match(1, print), score > 7 {
        doubtful.append(print)
      }
      try device.givePasscode()
    }
    for first in doubtful {
      for second in doubtful {
        let outcomes = try prompt(device, [first, second])
        if outcomes[0]?.isMiss == true, outcomes[1]?.isMatch == true { return [first, second] }
        try device.givePasscode()
      }
    }
    throw Missing()
  }

  private struct Missing: Error {}

  private static func device() throws -> SimulatedDevice {
    let device = try SimulatedDevice.withPasscode()
    try device.enroll(finger, name: "thumb")
    try device.openContext(1)
    return device
  }

  /// What touches of one prompt bring.
  @discardableResult
  private static func prompt(
    _ device: SimulatedDevice, _ touches: [SimulatedPrint]
  ) throws -> [TouchEvent.Outcome?] {
    let session = try device.beginMatch(1, tellsScore: false)
    defer { _ = try? device.failure(EndSession(session: session)) }
    return try touches.map { try device.touch(session, $0) }
  }

  @Test(
    "E2: touches that miss alone match together; each miss counts until then, and no score is told")
  func together() throws {
    let (device, pair) = (try Self.device(), try Self.pair.get())
    let outcomes = try Self.prompt(device, pair)
    #expect(
      outcomes[0]
        == .missed(
          score: nil, threshold: PrintMatcher.threshold, misses: 1, isLockedOut: false,
          addsUp: true))
    #expect(
      outcomes[1] == .matched(finger: "thumb", score: nil, threshold: PrintMatcher.threshold))
    #expect(try device.evidence(of: 1) == .biometry)
    #expect(try device.status.misses == 0)
  }

  @Test("E5: evidence crosses from no prompt to another, one after the other or side by side")
  func apart() throws {
    let (device, pair) = (try Self.device(), try Self.pair.get())
    #expect(try Self.prompt(device, [pair[0]])[0]?.isMiss == true)
    #expect(try Self.prompt(device, [pair[1]])[0]?.isMiss == true)
    let (first, second) = (
      try device.beginMatch(1, tellsScore: false), try device.beginMatch(1, tellsScore: false)
    )
    #expect(try device.touch(first, pair[0])?.isMiss == true)
    #expect(try device.touch(second, pair[1])?.isMiss == true)
    #expect(try device.status.misses == 4)
    #expect(try device.evidence(of: 1).isEmpty)
  }

  @Test("E5: the same touch again and again does not add up, and locks out as before")
  func again() throws {
    let (device, pair) = (try Self.device(), try Self.pair.get())
    let outcomes = try Self.prompt(device, [pair[0], pair[0].noisy, pair[0]])
    #expect(outcomes.allSatisfy { $0?.isMiss == true })
    let more = try Self.prompt(device, [pair[0], pair[0].noisy])
    guard case .missed(_, _, 5, true, _) = more[1] else {
      Issue.record("the fifth miss did not lock out")
      return
    }
  }

  @Test("E5: the third touch adds to the first, the fourth to none; one that opens alone opens")
  func fourth() throws {
    let (device, pair) = (try Self.device(), try Self.pair.get())
    let stranger = Self.stranger
    #expect(try Self.prompt(device, [pair[0], stranger, pair[1]])[2]?.isMatch == true)
    let late = try Self.prompt(device, [pair[0], stranger, stranger.noisy, pair[1]])
    #expect(late.allSatisfy { $0?.isMiss == true })
    try device.givePasscode()
    for print in Self.finger.laterTouches where try device.match(1, print)?.isMatch == true {
      let outcomes = try Self.prompt(device, [stranger, stranger.noisy, stranger, print])
      #expect(outcomes.map { $0?.isMatch } == [false, false, false, true])
      return
    }
    Issue.record("no touch opens alone")
  }

  @Test("E5: after a minute, after another prompt's match and after a lock touches stand alone")
  func ends() throws {
    let (device, pair) = (try Self.device(), try Self.pair.get())
    let session = try device.beginMatch(1, tellsScore: false)
    #expect(try device.touch(session, pair[0])?.isMiss == true)
    device.platform.advance(seconds: 61)
    #expect(try device.touch(session, pair[1])?.isMiss == true)

    let other = try device.beginMatch(1, tellsScore: false)
    #expect(try device.touch(other, pair[0])?.isMiss == true)
    #expect(try Self.prompt(device, pair)[1]?.isMatch == true)
    #expect(try device.touch(other, pair[1])?.isMiss == true)

    let locked = try device.beginMatch(1, tellsScore: false)
    #expect(try device.touch(locked, pair[0])?.isMiss == true)
    try device.send(LockDevice())
    #expect(try device.touch(locked, pair[1])?.isMatch != true)
    #expect(try device.evidence(of: 1).isEmpty)
  }

  @Test("E5: a touch that tests a finger stands alone, so that the score told is its own")
  func test() throws {
    let (device, pair) = (try Self.device(), try Self.pair.get())
    guard case .missed(let own?, _, _, _, _) = try device.match(1, pair[1]) else {
      Issue.record("the touch did not miss")
      return
    }
    let session = try device.beginMatch(1)
    #expect(try device.touch(session, pair[0])?.isMiss == true)
    guard case .missed(let told?, _, _, _, _) = try device.touch(session, pair[1]) else {
      Issue.record("the touch did not miss")
      return
    }
    #expect(told == own)
  }
}
