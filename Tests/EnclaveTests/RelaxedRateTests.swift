import FingerprintMatching
import Protocol
import Testing

@testable import EnclaveEngine

@Suite("A relaxed rate for small sensors")
struct RelaxedRateTests {
  /// Of 112 pixels a side.
  private static let finger = SimulatedFinger(seed: 14, side: 112, touches: 60)
  private static let rate = MatchRate.relaxedSmall

  private func device(isRelaxed: Bool) throws -> (SimulatedDevice, EnrolledFinger) {
    let device = try SimulatedDevice.withPasscode()
    let finger = try device.enroll(Self.finger, name: "thumb", isRelaxed: isRelaxed)
    try device.openContext(1)
    return (device, finger)
  }

  /// A touch of the finger that the relaxed rate accepts and the strict one does not.
  private func doubtfulTouch() throws -> SimulatedPrint {
    let (device, _) = try device(isRelaxed: true)
    for print in Self.finger.laterTouches {
      guard case .matched(_, let score, _) = try device.match(1, print) else {
        try device.givePasscode()
        continue
      }
      if try #require(score) < PrintMatcher.threshold { return print }
    }
    throw Missing()
  }

  private struct Missing: Error {}

  @Test("A3: what it accepts and the strict rate does not is evidence of the weaker kind")
  func weaker() throws {
    let touch = try doubtfulTouch()
    let (strict, _) = try device(isRelaxed: false)
    #expect(try strict.match(1, touch)?.isMiss == true)
    #expect(try strict.evidence(of: 1) == [])
    let (relaxed, finger) = try device(isRelaxed: true)
    #expect(finger.finger.isRelaxed)
    guard case .matched(_, let score?, let threshold) = try relaxed.match(1, touch) else {
      Issue.record("the touch did not match")
      return
    }
    #expect(threshold == Self.rate.threshold(fingers: 1))
    #expect(threshold <= score && score < PrintMatcher.threshold)
    #expect(try relaxed.evidence(of: 1) == .relaxedBiometry)
  }

  @Test("A3: an item that wants a strict match refuses it, and a touch for that item misses")
  func refused() throws {
    let touch = try doubtfulTouch()
    let (device, _) = try device(isRelaxed: true)
    let any = try device.sealed("any", .whenUnlockedThisDeviceOnly, access: "biometry-any")
    let strict = try device.sealed(
      "strict", .whenUnlockedThisDeviceOnly, access: "biometry-any", requiresStrictMatch: true)
    #expect(try device.match(1, touch)?.isMatch == true)
    #expect(try device.open(any, context: 1) == .secret("any"))
    #expect(
      try device.open(strict, context: 1) == .needed("biometry-any", held: .relaxedBiometry))
    try device.openContext(2)
    guard
      case .missed(_, let threshold, let misses, _, _) = try device.match(
        2, touch, requiresStrictMatch: true)
    else {
      Issue.record("the touch did not miss")
      return
    }
    #expect(threshold == PrintMatcher.threshold && misses == 1)
    // A core that takes the wanting away from the protection finds the item damaged.
    var forged = strict
    forged.protection = any.protection
    #expect(try device.open(forged, context: 1) == .failed(.errSecDecode))
  }

  @Test("the largest frame that came while it was enrolled fixes the rate, used or not")
  func largestFrame() throws {
    let device = try SimulatedDevice.withPasscode()
    let session = try device.beginEnrollment(isRelaxed: true)
    try device.touch(session, .largeBlank)
    for print in Self.finger.enrollmentTouches { try device.touch(session, print) }
    let enrolled = try device.ask(CommitEnrollment(session: session), for: EnrolledFinger.self)
    #expect(!enrolled.finger.isRelaxed)
    #expect(try device.ask(ListFingers(), for: FingerList.self).fingers == [enrolled.finger])
  }

  @Test("a touch of a larger sensor is held to the strict rate, and so is a finger nobody relaxed")
  func largerTouch() throws {
    let (device, _) = try device(isRelaxed: true)
    let large = SimulatedFinger.stranger.later
    guard case .missed(_, let threshold, _, _, let addsUp) = try device.match(1, large) else {
      Issue.record("the touch did not miss")
      return
    }
    #expect(threshold == PrintMatcher.threshold && !addsUp)
    let (strict, finger) = try self.device(isRelaxed: false)
    #expect(!finger.finger.isRelaxed)
    let small = SimulatedFinger(seed: 13, side: 112).later
    guard case .missed(_, let other, _, _, _) = try strict.match(1, small) else {
      Issue.record("the touch did not miss")
      return
    }
    #expect(other == PrintMatcher.threshold)
  }

  @Test("the rate outlives a restart, and the more fingers are enrolled the higher its threshold")
  func restart() throws {
    let (device, finger) = try device(isRelaxed: true)
    try device.enroll(.ownersOther)
    device.restart()
    try device.unlock()
    #expect(try device.ask(ListFingers(), for: FingerList.self).fingers.first == finger.finger)
    try device.openContext(1)
    let small = SimulatedFinger(seed: 13, side: 112).later
    guard case .missed(_, let threshold, _, _, _) = try device.match(1, small) else {
      Issue.record("the touch did not miss")
      return
    }
    // The nearest miss may have been against the other finger, which is strict.
    #expect([Self.rate.threshold(fingers: 2), PrintMatcher.threshold].contains(threshold))
  }

  @Test(
    "a record of a strict finger is stored as before there was a rate; unknown rates are refused")
  func stored() throws {
    func bytes(_ rate: MatchRate, _ origin: FrameOrigin?) -> [UInt8] {
      var encoder = WireEncoder()
      FingerRecord(
        identifier: 7, slot: 1, origin: origin, rate: rate, enrolledAt: 5, name: "a"
      ).encode(into: &encoder)
      let bytes = encoder.finish()
      return bytes.bytes.indices.map { bytes.bytes[$0] }
    }
    #expect(bytes(.strict, nil)[5] == 0)
    #expect(bytes(.strict, .synthetic)[5] == 1)
    for (rate, origin) in MatchRate.allCases.flatMap({ rate in
      ([nil] + FrameOrigin.allCases).map { (rate, $0) }
    }) {
      let bytes = bytes(rate, origin)
      var decoder = WireDecoder(bytes.span)
      let record = try FingerRecord(from: &decoder, version: 5)
      #expect(record.rate == rate && record.origin == origin)
    }
    for kind in [6, 0x41, 0x81, 0xC0] as [UInt8] {
      var unknown = bytes(.strict, .reader)
      unknown[5] = kind
      #expect(throws: DecodeError.self) {
        var decoder = WireDecoder(unknown.span)
        _ = try FingerRecord(from: &decoder, version: 5)
      }
    }
  }
}
