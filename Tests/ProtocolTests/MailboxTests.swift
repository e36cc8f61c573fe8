import Protocol
import Testing

@Suite("Mailbox messages")
struct MailboxTests {
  @Test("messages that hold values come back as they were sent")
  func copyableMessages() throws {
    let context = ContextName(7, of: Requester(application: "uid:1", connection: 9))
    try expectRoundTrip(
      OpenContext(context: context, outlivesRequest: true, isDoor: true))
    try expectRoundTrip(
      ContextEvidence(
        evidence: [.biometry, .passcode], finger: "thumb", matchAge: 3, passcodeAge: 0))
    try expectRoundTrip(BeginEnrollment(session: 1, channel: 2, context: context, name: "ring"))
    try expectRoundTrip(
      EnrolledFinger(
        finger: Finger(identifier: "00c0ffee", name: "x", enrolledAt: -5, isSynthetic: true),
        touches: 5, coverage: 0.75))
    let protection = ItemProtection(
      accessibility: .whenUnlockedThisDeviceOnly,
      accessControl: try AccessControl(parsing: "biometry-current or passcode"),
      identity: [1, 2, 3])
    try expectRoundTrip(
      OpenItem(protection: protection, sealed: [4, 5], onlyAuthorize: true))
    try expectRoundTrip(SealedItem(hashes: [[1], [2]], attributes: [3], sealedSecret: [4, 5]))
    try expectRoundTrip(
      OpenItemWithAttributes(
        item: OpenItem(protection: protection, sealed: [4, 5]),
        attributes: AttributesEntry(accessibility: .whenUnlocked, identity: [1], bytes: [2])))
    try expectRoundTrip(
      AttributeBatch(results: [.value([1]), .closed, .damaged, .value([])]))
    var status = EnclaveStatus()
    status.misses = 4
    status.domainState = [9, 9]
    status.isLocked = true
    try expectRoundTrip(status)
  }

  @Test("every outcome of a touch comes back as it was sent")
  func touchEvents() throws {
    let outcomes: [TouchEvent.Outcome] = [
      .matched(finger: "thumb", score: 12.5, threshold: 12),
      .missed(score: -3, threshold: 14, misses: 2, isLockedOut: false, addsUp: false),
      .retry(reason: 2),
      .taken(TakenTouch(touches: 3, coverage: 0.5, isComplete: false, advice: nil)),
      .taken(
        TakenTouch(
          touches: 3, coverage: 1, isComplete: true, advice: .moveLeft,
          picture: CoveragePicture(columns: 2, times: [0, 1, 2, 15], clarity: [0, 3, 4, 15]))),
      .refused(.tooDry), .duplicate(finger: "x"), .ended(status: 102, message: "gone"),
      .failed(Failure(.biometryLockout, "locked out", hint: "give the passcode")),
    ]
    for outcome in outcomes { try expectRoundTrip(TouchEvent(session: 11, outcome: outcome)) }
  }

  @Test("questions to the policy and its steps come back as they were sent")
  func policy() throws {
    var question = PolicyQuestion(
      request: .access(try AccessControl(parsing: "passcode"), held: .biometry),
      device: DeviceState())
    question.progress.lastEvent = .sensorLost
    question.progress.misses = 3
    question.device.fingers = 2
    try expectRoundTrip(question)
    let actions: [PolicyStep.Action] = [
      .succeed, .awaitPasscode, .awaitTouch(fallback: .application),
      .fail(Failure(.userCancel, "cancelled")),
    ]
    for action in actions { try expectRoundTrip(PolicyStep(action)) }
  }

  @Test("a secret crosses the mailbox whole")
  func secrets() throws {
    let bytes = ReplacePasscode(
      current: SecretBytes(copying: [1, 2].span), replacement: SecretBytes(copying: [3].span)
    ).encoded()
    let message = try ReplacePasscode.decode(bytes.bytes)
    let isSame =
      message.current.isEqual(to: [1, 2].span) && message.replacement.isEqual(to: [3].span)
    #expect(isSame)
  }

  @Test("an item to be sealed crosses the mailbox whole, and with no larger secret than there is")
  func itemToSeal() throws {
    func item(secretCount: Int) throws -> SecretBytes {
      let secret = SecretBytes(count: secretCount)
      return SealItem(
        protection: ItemProtection(
          accessibility: .whenUnlocked, accessControl: try AccessControl(parsing: "passcode"),
          identity: [1, 2]), names: [[3], []], attributes: [4],
        secret: secret.bytes
      ).encoded()
    }
    let bytes = try item(secretCount: largestItemSecret)
    let message = try SealItem(decoding: bytes.bytes)
    #expect(message.protection.identity == [1, 2] && message.names == [[3], []])
    let (attributes, count) = (message.attributes, message.secret.count)
    #expect(attributes == [4] && count == largestItemSecret)
    let larger = try item(secretCount: largestItemSecret + 1)
    #expect(
      throws: DecodeError.tooLong(count: largestItemSecret + 1, limit: largestItemSecret)
    ) { _ = try SealItem(decoding: larger.bytes) }
    let small = try item(secretCount: 2)
    for count in 0..<small.count {
      #expect(throws: DecodeError.self) {
        _ = try SealItem(decoding: small.bytes.extracting(first: count))
      }
    }
  }

  @Test("a passcode longer than a passcode may be is refused")
  func longPasscode() {
    let bytes = SetPasscode(passcode: SecretBytes(count: longestPasscode + 1)).encoded()
    #expect(throws: DecodeError.tooLong(count: longestPasscode + 1, limit: longestPasscode)) {
      _ = try SetPasscode.decode(bytes.bytes)
    }
  }

  private func expectRoundTrip<Message: WireMessage & Equatable>(_ message: Message) throws {
    let bytes = message.encoded()
    #expect(try Message.decode(bytes.bytes) == message)
    for count in 0..<bytes.count {
      #expect(throws: DecodeError.self) {
        try Message.decode(bytes.bytes.extracting(first: count))
      }
    }
  }

  private func expectRoundTrip(_ message: OpenItem) throws {
    let bytes = message.encoded()
    let decoded = try OpenItem.decode(bytes.bytes)
    #expect(decoded.sealed == message.sealed && decoded.protection == message.protection)
    #expect(decoded.onlyAuthorize == message.onlyAuthorize)
  }

  private func expectRoundTrip(_ message: OpenContext) throws {
    let bytes = message.encoded()
    let decoded = try OpenContext.decode(bytes.bytes)
    #expect(decoded.context == message.context)
    #expect(decoded.outlivesRequest == message.outlivesRequest)
    #expect(decoded.isDoor == message.isDoor)
  }

  private func expectRoundTrip(_ message: BeginEnrollment) throws {
    let bytes = message.encoded()
    let decoded = try BeginEnrollment.decode(bytes.bytes)
    #expect(decoded.name == message.name && decoded.context == message.context)
  }
}
