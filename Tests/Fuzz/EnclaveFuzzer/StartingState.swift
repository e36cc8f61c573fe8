import Cryptography
import Protocol

@testable import EnclaveEngine
@testable import EnclaveSimulation
@testable import GoldenSamples

/// The starting state of a fuzzed device: its files, and what was done since it started.
struct StartingState {
  let files: [String: [UInt8]]
  /// Whether the passcode has been given in context 1, which unlocked the device.
  let isUnlocked: Bool
  /// Whether it was locked again, with biometric unlock armed.
  let isLockedAgain: Bool

  /// That of the samples, so that they give the right one.
  static let passcode = "correct horse"

  /// Weak on purpose: passcodes are tried thousands of times a second.
  static let cost: PasscodeCost = {
    guard let scrypt = Scrypt(cost: 2, blockSize: 1, parallelism: 1) else {
      preconditionFailure("2, 1 and 1 are in range")
    }
    return .fixed(scrypt)
  }()

  /// New; with passcode and finger, unlocked, locked again, before the first unlock; with another
  /// set of fingers than items were sealed for; with a passcode that is not the first.
  static let all: [StartingState] = {
    let owner = prepared.files
    return [
      StartingState(files: owner, isUnlocked: true, isLockedAgain: false),
      StartingState(files: [:], isUnlocked: false, isLockedAgain: false),
      StartingState(files: owner, isUnlocked: true, isLockedAgain: true),
      StartingState(files: owner, isUnlocked: false, isLockedAgain: false),
      StartingState(files: prepared.twoFingers, isUnlocked: true, isLockedAgain: false),
      StartingState(files: prepared.changed, isUnlocked: true, isLockedAgain: false),
    ]
  }()

  /// An item that was sealed on the device of the first state.
  struct Item {
    let protection: ItemProtection
    let sealed: [UInt8]
    let secret: [UInt8]
  }

  static var items: [Item] { prepared.items }
  /// Sealed attributes of that device.
  static var attributes: [AttributesEntry] { prepared.attributes }

  private struct Prepared {
    var files: [String: [UInt8]] = [:]
    var twoFingers: [String: [UInt8]] = [:]
    var changed: [String: [UInt8]] = [:]
    var items: [Item] = []
    var attributes: [AttributesEntry] = []
  }

  /// Made once; takes seconds because two fingers are enrolled: small ones, whose templates are
  /// read quickly.
  private static let prepared: Prepared = {
    do {
      var prepared = Prepared()
      let device = EngineInMemory(files: [:])
      try device.send(SetPasscode(passcode: secret(passcode)))
      try device.enroll(SimulatedFinger(seed: 11, side: 100), name: "thumb")
      for (index, accessibility) in Accessibility.allCases.enumerated() {
        for (number, access) in accesses.enumerated() where access == nil || index >= 2 {
          let protection = ItemProtection(
            accessibility: accessibility, accessControl: access,
            identity: [UInt8(index), UInt8(number)])
          let bytes = [UInt8](repeating: UInt8(16 * index + number), count: 20)
          prepared.items.append(
            Item(
              protection: protection, sealed: try device.seal(protection, bytes), secret: bytes))
        }
        prepared.attributes.append(try device.sealAttributes(accessibility, [UInt8(index), 7]))
      }
      prepared.files = device.platform.files
      try device.enroll(SimulatedFinger(seed: 12, side: 100), name: "index")
      prepared.twoFingers = device.platform.files
      let other = EngineInMemory(files: prepared.files)
      try other.send(
        ReplacePasscode(current: secret(passcode), replacement: secret("battery")))
      try other.send(
        ReplacePasscode(current: secret("battery"), replacement: secret(passcode)))
      prepared.changed = other.platform.files
      return prepared
    } catch {
      fatalError("the states cannot be made: \(error)")
    }
  }()

  private static let accesses: [AccessControl?] =
    [nil]
    + [
      "presence", "passcode", "biometry-any", "biometry-current", "biometry-current or passcode",
      "biometry-any and passcode",
    ].map { try? AccessControl(parsing: $0) }
}

/// An enclave with its folder in memory.
struct EngineInMemory {
  let platform: SimulatedPlatform
  let engine: EnclaveEngine

  init(files: [String: [UInt8]]) {
    platform = SimulatedPlatform(files: files)
    engine = EnclaveEngine(platform: platform, passcodeCost: StartingState.cost)
  }

  func ask<Reply: WireMessage>(_ request: Span<UInt8>, for type: Reply.Type) throws -> Reply {
    let reply = engine.handle(request)
    if reply.bytes[0] == Failure.number { throw try Failure.decode(reply.bytes) }
    return try Reply.decode(reply.bytes)
  }

  func send(_ message: borrowing some WireMessage & ~Copyable) throws {
    let request = message.encoded()
    _ = try ask(request.bytes, for: Done.self)
  }

  func enroll(_ finger: SimulatedFinger, name: String) throws {
    let context: UInt64 = 1
    try send(CloseContext(context: context))
    try send(OpenContext(context: context))
    try send(
      VerifyPasscode(
        context: context, unlocksDevice: true, passcode: secret(StartingState.passcode)))
    try? send(OpenChannel(channel: 1, source: FrameSource(.synthetic)))
    try send(BeginEnrollment(session: 1, channel: 1, context: context, name: name))
    for print in finger.enrollmentTouches {
      try send(AwaitTouch(session: 1))
      try send(print.frame(channel: 1, session: 1))
    }
    let request = CommitEnrollment(session: 1).encoded()
    _ = try ask(request.bytes, for: EnrolledFinger.self)
  }

  func seal(_ protection: ItemProtection, _ bytes: [UInt8]) throws -> [UInt8] {
    let message = SealItem(
      protection: protection, names: [], attributes: [], secret: bytes.span
    ).encoded()
    let request = Self.enveloped(Array(copying: message), .keychain)
    return try ask(request.span, for: SealedItem.self).sealedSecret
  }

  func sealAttributes(
    _ accessibility: Accessibility, _ bytes: [UInt8]
  ) throws -> AttributesEntry {
    let entry = AttributesEntry(accessibility: accessibility, identity: [9], bytes: bytes)
    let message = SealAttributes(entries: [entry]).encoded()
    let request = Self.enveloped(Array(copying: message), .keychain)
    let batch = try ask(request.span, for: AttributeBatch.self)
    guard case .value(let sealed) = batch.results.first else {
      throw Failure(.engineFailed, "no attributes were sealed")
    }
    return AttributesEntry(accessibility: accessibility, identity: [9], bytes: sealed)
  }

  /// A message as it arrives at the enclave.
  static func enveloped(
    _ message: [UInt8], _ envelope: RequestCount.Envelope, context: UInt64 = noContext
  ) -> [UInt8] {
    switch envelope {
    case .core: message
    case .application:
      Array(
        copying: ApplicationRequest.encoded(
          context: contextName(context), message: SecretBytes(copying: message.span)))
    case .keychain:
      KeychainRequest.head(context: contextName(context), count: message.count) + message
    }
  }
}
