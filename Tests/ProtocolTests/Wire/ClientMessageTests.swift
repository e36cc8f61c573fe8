import Testing

@testable import Protocol

@Suite("Client protocol")
struct ClientMessageTests {
  @Test("the greeting keeps its form, whatever the version")
  func greeting() {
    let hello = ClientEnvelope.encode(
      Hello(protocolVersion: 1, softwareVersion: "0.1.0"), request: 5)
    let expected: [UInt8] =
      [2, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 5] + Array("0.1.0".utf8)
    let isSame = hello.isEqual(to: expected.span)
    #expect(isSame)
    let quit = ClientEnvelope.encode(Quit(unlessUnlocked: true), request: 6)
    let isQuit = quit.isEqual(to: ([4, 0, 0, 0, 6, 1] as [UInt8]).span)
    #expect(isQuit)
  }

  @Test("a message travels under the id of its request")
  func envelope() throws {
    let prompt = Prompt(
      prompt: 2, awaitsTouch: true, fallback: .passcode, fallbackTitle: nil, cancelTitle: "No",
      reason: "open the vault", refusedPasscodes: 1)
    let bytes = ClientEnvelope.encode(prompt, request: 0xffff_fffe)
    let header = try ClientEnvelope.header(bytes.bytes)
    #expect(header.number == Prompt.number)
    #expect(header.request == 0xffff_fffe)
    #expect(try ClientEnvelope.decode(bytes.bytes, as: Prompt.self) == prompt)
    #expect(throws: DecodeError.unknownMessage(number: Prompt.number)) {
      try ClientEnvelope.decode(bytes.bytes, as: Cancel.self)
    }
  }

  @Test("every kind of progress comes back as it was sent")
  func progress() throws {
    let events: [Progress.Event] = [
      .awaitingTouch, .retry(reason: 3), .missed(left: 2), .matched(finger: "thumb"),
      .taken(
        TakenTouch(
          touches: 2, coverage: 0.4, isComplete: false, advice: .moveLeft,
          picture: CoveragePicture(columns: 1, times: [3, 0], clarity: [9, 0]))),
      .refused(.noRidges),
      .sensorLost(message: "unplugged"),
    ]
    for event in events {
      let bytes = ClientEnvelope.encode(Progress(event), request: 1)
      #expect(try ClientEnvelope.decode(bytes.bytes, as: Progress.self) == Progress(event))
    }
  }

  @Test("an answer carries its passcode and nothing but a passcode of a passcode's length")
  func answers() throws {
    let answer = PromptAnswer(
      prompt: 3, kind: .passcode, passcode: SecretBytes(copying: [7, 8].span))
    let bytes = ClientEnvelope.encode(answer, request: 1)
    let decoded = try ClientEnvelope.decode(bytes.bytes, as: PromptAnswer.self)
    let isSame = decoded.passcode.isEqual(to: [7, 8].span)
    #expect(isSame)
    let long = ClientEnvelope.encode(
      PromptAnswer(prompt: 3, kind: .passcode, passcode: SecretBytes(count: 2000)), request: 1)
    #expect(throws: DecodeError.tooLong(count: 2000, limit: 1024)) {
      _ = try ClientEnvelope.decode(long.bytes, as: PromptAnswer.self)
    }
  }

  @Test(
    "random bytes are a message or an error, for every kind", arguments: 0..<32 as Range<UInt64>)
  func randomBytes(seed: UInt64) {
    var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    func random() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    for _ in 0..<200 {
      let bytes = (0..<Int(random())).map { $0 % 4 == 3 ? random() : random() & 1 }
      var decoder = WireDecoder(bytes.span)
      _ = try? CoreStatus(from: &decoder)
      decoder = WireDecoder(bytes.span)
      _ = try? UseDriver(from: &decoder)
      decoder = WireDecoder(bytes.span)
      _ = try? FoundItems(from: &decoder)
      decoder = WireDecoder(bytes.span)
      _ = try? Prompt(from: &decoder)
      decoder = WireDecoder(bytes.span)
      _ = try? FingerList(from: &decoder)
    }
  }
}

@Suite("Messages of the capture protocol")
struct CaptureTests {
  private func bytes(_ message: borrowing SecretBytes) -> [UInt8] {
    message.bytes.indices.map { message.bytes[$0] }
  }

  private func stamp(_ message: [UInt8], _ channel: UInt32) -> [UInt8]? {
    let stamped = CaptureMessages.stamp(SecretBytes(copying: message.span), channel: channel)
    guard let stamped else { return nil }
    return bytes(stamped)
  }

  /// One message of each kind from one channel.
  private func messages(channel: UInt32) -> [[UInt8]] {
    [
      bytes(
        SensorFrame(
          channel: channel, session: 7, width: 2, height: 1, pixelsPerInch: 500, extents: [0..<2],
          pixels: [1, 2]
        ).encoded()),
      bytes(SensorRetry(channel: channel, session: 7, reason: 3).encoded()),
      bytes(SensorEnd(channel: channel, session: 7, status: 102, message: "gone").encoded()),
      bytes(
        ChipReport(
          channel: channel, session: 7, result: .noMatch, name: SecretBytes(count: 0),
          listed: SecretBytes(count: 0)
        ).encoded()),
    ]
  }

  @Test("E6: a stamped message is that which the channel's own host would have made")
  func stamping() {
    let channel: UInt32 = 0x0102_0304
    #expect(messages(channel: 0).map { stamp($0, channel) } == messages(channel: channel))
    // A driver's host that claims to be another channel is overruled.
    #expect(messages(channel: 9).map { stamp($0, channel) } == messages(channel: channel))
    #expect(Set(messages(channel: 0).map { $0[0] }) == Set(CaptureMessages.numbers))
  }

  @Test("a driver's words about an end are cut to what an enclave accepts")
  func longEnd() throws {
    let said = String(repeating: "ä", count: 20_000)
    let end = try SensorEnd.decode(
      SensorEnd.encoded(session: 7, status: 102, saying: said).bytes)
    #expect(end.message == String(said.prefix(1000)))
  }

  @Test("a message cut within the channel, or of another protocol, passes no frame socket")
  func nothingElse() {
    for number in UInt8.min...UInt8.max where !CaptureMessages.numbers.contains(number) {
      #expect(stamp([number, 0, 0, 0, 0, 0], 1) == nil)
    }
    for number in CaptureMessages.numbers {
      for count in 0..<5 { #expect(stamp(Array([number, 0, 0, 0, 0].prefix(count)), 1) == nil) }
      #expect(stamp([number, 0, 0, 0, 0], 1) == [number, 0, 0, 0, 1])
    }
  }
}
