import Cryptography
import Protocol
import Testing

@testable import EnclaveEngine

/// An enclave and the machine it runs on, spoken to as the core does: in bytes.
final class SimulatedDevice {
  let platform: SimulatedPlatform
  private(set) var engine: EnclaveEngine
  private var lastSession: UInt64 = 0

  /// The passcode of every device here that has one.
  static let passcode = "tulip 42"
  /// Weak on purpose: tests set many passcodes.
  static let cost = PasscodeCost.fixed(weak)
  private static var weak: Scrypt {
    guard let scrypt = Scrypt(cost: 16, blockSize: 1, parallelism: 1) else {
      preconditionFailure("16, 1 and 1 are in range")
    }
    return scrypt
  }

  init(_ platform: SimulatedPlatform = SimulatedPlatform()) {
    self.platform = platform
    engine = EnclaveEngine(platform: platform, passcodeCost: Self.cost)
  }

  /// A device with the passcode set, and unlocked by it.
  static func withPasscode() throws -> SimulatedDevice {
    let device = SimulatedDevice()
    try device.setPasscode()
    return device
  }

  /// Another enclave on the same files, as after a crash; the disk works again.
  func restart() {
    platform.writesLeft = nil
    engine = EnclaveEngine(platform: platform, passcodeCost: Self.cost)
  }

  /// The raw reply to raw bytes.
  func reply(to request: [UInt8]) -> [UInt8] {
    let reply = engine.handle(request.span)
    return reply.bytes.indices.map { reply.bytes[$0] }
  }

  /// Sends a message and reads the reply, which may be a failure.
  func ask<Reply: WireMessage>(
    _ message: borrowing some WireMessage & ~Copyable, for type: Reply.Type
  ) throws -> Reply {
    let request = message.encoded()
    let reply = engine.handle(request.bytes)
    if reply.bytes[0] == Failure.number { throw try Failure.decode(reply.bytes) }
    return try Reply.decode(reply.bytes)
  }

  static func envelope(
    _ message: borrowing some EngineMessage & ~Copyable, _ context: ContextName
  ) -> SecretBytes {
    ApplicationRequest.encoded(context: context, message: message.encoded())
  }

  static func envelope(
    _ message: borrowing some EngineMessage & ~Copyable, _ number: UInt64
  ) -> SecretBytes {
    envelope(message, contextName(number))
  }

  static func envelope(
    _ message: borrowing some SealingMessage & ~Copyable, _ context: ContextName
  ) -> SecretBytes {
    KeychainRequest.encoded(context: context, message: message.encoded().bytes)
  }

  static func envelope(
    _ message: borrowing some SealingMessage & ~Copyable, _ number: UInt64
  ) -> SecretBytes {
    envelope(message, contextName(number))
  }

  private func ask<Reply: WireMessage>(
    envelope: consuming SecretBytes, for type: Reply.Type
  ) throws -> Reply {
    let reply = engine.handle(envelope.bytes)
    if reply.bytes[0] == Failure.number { throw try Failure.decode(reply.bytes) }
    return try Reply.decode(reply.bytes)
  }

  /// Sends a message of an application's, as the core passes it on.
  func ask<Reply: WireMessage>(
    _ message: borrowing some EngineMessage & ~Copyable, for type: Reply.Type
  ) throws -> Reply {
    try ask(envelope: Self.envelope(message, noContext), for: type)
  }

  /// Sends a message of the keychain's, as the core passes it on.
  func ask<Reply: WireMessage>(
    _ message: borrowing some SealingMessage & ~Copyable, for type: Reply.Type
  ) throws -> Reply {
    try ask(message, in: contextName(noContext), for: type)
  }

  /// The same in a context.
  func ask<Reply: WireMessage>(
    _ message: borrowing some SealingMessage & ~Copyable, in context: ContextName,
    for type: Reply.Type
  ) throws -> Reply {
    try ask(envelope: Self.envelope(message, context), for: type)
  }

  /// Sends a message of an application's whose reply tells nothing.
  func send(_ message: borrowing some EngineMessage & ~Copyable, in context: UInt64) throws {
    try send(message, in: contextName(context))
  }

  func send(_ message: borrowing some EngineMessage & ~Copyable, in context: ContextName) throws {
    _ = try ask(envelope: Self.envelope(message, context), for: Done.self)
  }

  func send(_ message: borrowing some EngineMessage & ~Copyable) throws {
    try send(message, in: noContext)
  }

  private func failure(envelope: consuming SecretBytes) throws -> FailureCode? {
    let reply = engine.handle(envelope.bytes)
    if reply.bytes[0] == EvidenceNeeded.number { return .authenticationFailed }
    guard reply.bytes[0] == Failure.number else { return nil }
    return try Failure.decode(reply.bytes).code
  }

  /// The failure a message of an application's is answered with, or nil; evidence that is missing
  /// counts as `authenticationFailed`.
  func failure(
    _ message: borrowing some EngineMessage & ~Copyable, in context: UInt64
  ) throws -> FailureCode? {
    try failure(message, in: contextName(context))
  }

  func failure(
    _ message: borrowing some EngineMessage & ~Copyable, in context: ContextName
  ) throws -> FailureCode? {
    try failure(envelope: Self.envelope(message, context))
  }

  func failure(_ message: borrowing some EngineMessage & ~Copyable) throws -> FailureCode? {
    try failure(envelope: Self.envelope(message, noContext))
  }

  /// The failure a message of the keychain's is answered with, or nil.
  func failure(_ message: borrowing some SealingMessage & ~Copyable) throws -> FailureCode? {
    try failure(envelope: Self.envelope(message, noContext))
  }

  /// Sends a message whose reply tells nothing.
  func send(_ message: borrowing some WireMessage & ~Copyable) throws {
    _ = try ask(message, for: Done.self)
  }

  /// The failure a message is answered with, or nil.
  func failure(_ message: borrowing some WireMessage & ~Copyable) throws -> FailureCode? {
    let request = message.encoded()
    let reply = engine.handle(request.bytes)
    guard reply.bytes[0] == Failure.number else { return nil }
    return try Failure.decode(reply.bytes).code
  }

  var status: EnclaveStatus {
    get throws { try ask(GetEnclaveStatus(), for: EnclaveStatus.self) }
  }

  // Passcode

  func setPasscode(_ passcode: String = SimulatedDevice.passcode) throws {
    try send(SetPasscode(passcode: secret(passcode)))
  }

  /// Gives a passcode in a context of its own, which stays open.
  func givePasscode(
    _ passcode: String = SimulatedDevice.passcode, unlocking: Bool = false, context: UInt64 = 7000
  ) throws {
    try openContext(context)
    try send(
      VerifyPasscode(context: context, unlocksDevice: unlocking, passcode: secret(passcode)))
  }

  /// The code a passcode is refused with, or nil when it was right.
  func refusal(of passcode: String, mayErase: Bool = true) throws -> FailureCode? {
    try openContext(7000)
    return try failure(
      VerifyPasscode(
        context: 7000, unlocksDevice: false, mayErase: mayErase, passcode: secret(passcode)))
  }

  func unlock() throws { try givePasscode(unlocking: true) }

  /// Makes a new context, in place of one with the same number.
  func openContext(_ id: UInt64) throws {
    try send(CloseContext(context: id))
    try send(OpenContext(context: id))
  }

  func evidence(of id: UInt64, reuseSeconds: UInt32 = 0) throws -> EvidenceSet {
    let request = GetContextEvidence(context: contextName(id), reuseSeconds: reuseSeconds)
    return try ask(request, for: ContextEvidence.self).evidence
  }

  // Fingers

  /// Begins a session on a channel that is opened for it; returns its number.
  func beginMatch(
    _ context: UInt64, isSynthetic: Bool = true, requiresStrictMatch: Bool = false,
    tellsScore: Bool = true
  ) throws -> UInt64 {
    let session = nextSession(isSynthetic)
    try send(
      BeginMatch(
        session: session, channel: channel(isSynthetic), context: context,
        requiresStrictMatch: requiresStrictMatch, tellsScore: tellsScore))
    return session
  }

  /// Begins an enrollment in a context that has the passcode.
  func beginEnrollment(
    name: String = "", isSynthetic: Bool = true, isRelaxed: Bool = false,
    passcode: String = SimulatedDevice.passcode, context: UInt64 = 7000
  ) throws -> UInt64 {
    try givePasscode(passcode, context: context)
    let session = nextSession(isSynthetic)
    try send(
      BeginEnrollment(
        session: session, channel: channel(isSynthetic), context: context, name: name,
        isRelaxed: isRelaxed))
    return session
  }

  func channel(_ isSynthetic: Bool) -> UInt32 { isSynthetic ? 1 : 2 }

  private func nextSession(_ isSynthetic: Bool) -> UInt64 {
    lastSession += 1
    // A channel that is open already is what is wanted.
    _ = try? failure(OpenChannel(channel: channel(isSynthetic), isSynthetic: isSynthetic))
    return lastSession
  }

  /// Touches the sensor: what came of it.
  @discardableResult
  func touch(
    _ session: UInt64, _ print: SimulatedPrint, isSynthetic: Bool = true
  ) throws -> TouchEvent.Outcome? {
    let before = platform.events.count
    try awaitTouch(session)
    try send(print.frame(channel: channel(isSynthetic), session: session))
    return platform.events.count > before ? platform.events.last?.outcome : nil
  }

  /// Expects one touch; a session that is over expects none.
  func awaitTouch(_ session: UInt64) throws { _ = try failure(AwaitTouch(session: session)) }

  /// Enrolls a finger from five touches.
  @discardableResult
  func enroll(
    _ finger: SimulatedFinger, name: String = "", isSynthetic: Bool = true,
    isRelaxed: Bool = false, context: UInt64 = 7000
  ) throws -> EnrolledFinger {
    let session = try beginEnrollment(
      name: name, isSynthetic: isSynthetic, isRelaxed: isRelaxed, context: context)
    for print in finger.enrollmentTouches {
      try touch(session, print, isSynthetic: isSynthetic)
    }
    return try ask(CommitEnrollment(session: session), for: EnrolledFinger.self)
  }

  /// One touch for a context, in a session that ends with it.
  @discardableResult
  func match(
    _ context: UInt64, _ print: SimulatedPrint, isSynthetic: Bool = true,
    requiresStrictMatch: Bool = false
  ) throws -> TouchEvent.Outcome? {
    let session = try beginMatch(
      context, isSynthetic: isSynthetic, requiresStrictMatch: requiresStrictMatch)
    let outcome = try touch(session, print, isSynthetic: isSynthetic)
    try send(EndSession(session: session))
    return outcome
  }
}

func secret(_ text: String) -> SecretBytes {
  let bytes = Array(text.utf8)
  return SecretBytes(copying: bytes.span)
}

extension OpenChannel {
  /// A channel of the replay driver and its built-in tape, or of a reader.
  init(channel: UInt32, isSynthetic: Bool) {
    self.init(
      channel: channel,
      source: isSynthetic ? FrameSource(.synthetic, mayRepeat: true) : FrameSource(.reader))
  }
}

extension TouchEvent.Outcome {
  /// Whether a finger matched.
  var isMatch: Bool { if case .matched = self { true } else { false } }
  /// Whether a finger was compared and did not match.
  var isMiss: Bool { if case .missed = self { true } else { false } }
}
