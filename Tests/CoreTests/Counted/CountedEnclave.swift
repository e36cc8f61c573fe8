import EngineKit
import GrayImage
import LinuxSystem
import Protocol
import Sandbox
import SyntheticPrints

@testable import AuthCore
@testable import EnclaveEngine
@testable import PluginHosting

/// The real enclave behind a mailbox that counts what the core asks it. What is said lies in as many
/// buffers as in a process of its own: one where a message arrives, on either side, and one for what
/// the engine hands over.
final class CountedEnclave: PluginProcess {
  /// One round trip: the number of the request, and of what it brings, where it is an envelope.
  struct RoundTrip: Equatable, Sendable {
    let request: UInt8
    let inside: UInt8?
  }

  /// The engine and its one thread's turn.
  private final class Engine: @unchecked Sendable {
    // Sendable: used under the lock of `engine` alone.
    var engine: EnclaveEngine?
  }

  private struct State: Sendable {
    var roundTrips: [RoundTrip] = []
    var channels: [UInt32] = []
    var prints: UInt64 = 0
  }

  /// What waits to be received; a message cannot lie in an array.
  private final class Word: Sendable {
    let isReply: Bool
    private let bytes: Guarded<SecretBytes?>
    init(_ bytes: consuming sending SecretBytes, isReply: Bool) {
      self.isReply = isReply
      self.bytes = Guarded(bytes)
    }
    func take() -> SecretBytes { bytes.update { $0.take() } ?? SecretBytes(count: 0) }
  }

  let path = "/real/enclave.so"
  let ready = HostReady(
    pluginName: "enclave", pluginVersion: "1", abiVersion: 1 << 16, path: "/real/enclave.so",
    report: SandboxReport(.enclave))
  private let words = Guarded((words: [Word](), isOver: false, isHeld: false))

  private let state = Guarded(State())
  private let engine = Guarded(Engine())
  private let folder: String

  static let passcode = "tulip 42"
  static let finger = SyntheticFinger(seed: 11)

  /// An enclave whose files lie in a folder.
  init(folder: String) { self.folder = folder }

  /// What was asked since the last time.
  func takeRoundTrips() -> [RoundTrip] {
    state.update { state in
      defer { state.roundTrips = [] }
      return state.roundTrips
    }
  }

  /// Starts it; called once.
  func start() throws(Failure) {
    let services = HostServices(
      store: try FolderStore(path: folder), log: { _, _ in },
      events: { [unowned self] event in say(SecretBytes(copying: event), isReply: false) })
    try engine.update { (engine) -> Result<Void, Failure> in
      Result { () throws(Failure) in
        let services = try unsafe EngineServices(host: UnsafePointer(services.table))
        engine.engine = EnclaveEngine(platform: services, passcodeCost: .calibrated)
      }
    }.get()
  }

  // MARK: The mailbox

  func send(
    _ message: borrowing some WireMessage & ~Copyable, descriptors: [Int32]
  ) throws(Failure) {
    guard let attached = try? AttachSensor.decode(message.encoded().bytes) else { return }
    state.update { $0.channels.append(attached.channel) }
  }

  func call(_ head: [UInt8], _ rest: Span<UInt8>) throws(Failure) {
    var arrived = SecretBytes(count: head.count + rest.count)
    arrived.copy(head.span)
    arrived.copy(rest, at: head.count)
    note(arrived.bytes)
    let reply = handle(arrived.bytes)
    let handedOver = SecretBytes(copying: reply.bytes)
    say(SecretBytes(copying: handedOver.bytes), isReply: true)
  }

  private func say(_ bytes: consuming sending SecretBytes, isReply: Bool) {
    let word = Word(bytes, isReply: isReply)
    words.update { $0.words.append(word) }
  }

  func receive(milliseconds: Int32) throws(Failure) -> HostEvent? {
    let outcome = words.wait(nanoseconds: UInt64(max(0, milliseconds)) * 1_000_000) {
      state -> Result<Word, Failure>? in
      if !state.words.isEmpty { return .success(state.words.removeFirst()) }
      return state.isOver ? .failure(Failure(.engineFailed, "was asked to end")) : nil
    }
    guard let word = try outcome?.get() else { return nil }
    return word.isReply ? .reply(word.take()) : .event(word.take())
  }

  func waitForArrival() { words.wait { $0.isOver || !$0.isHeld && !$0.words.isEmpty ? () : nil } }
  func holdArrivals() { words.update { $0.isHeld = true } }
  func releaseArrivals() { words.update { $0.isHeld = false } }
  func end() { words.update { $0.isOver = true } }

  // MARK: The engine

  private func note(_ request: Span<UInt8>) {
    let first = request[0]
    let inside = (try? KeychainRequest(decoding: request))?.message[0]
    state.update { $0.roundTrips.append(RoundTrip(request: first, inside: inside)) }
  }

  private func handle(_ request: Span<UInt8>) -> SecretBytes {
    engine.update { $0.engine?.handle(request) ?? SecretBytes(count: 0) }
  }

  /// Asks it past the counter; for what is there before anything is counted.
  private func prepare(_ message: borrowing some WireMessage & ~Copyable) throws {
    let request = message.encoded()
    let reply = handle(request.bytes)
    if reply.bytes[0] == Failure.number { throw try Failure.decode(reply.bytes) }
  }

  /// Sets the passcode and enrolls the finger.
  func enroll() throws {
    let context = ContextName(1 << 40, of: Requester(application: "test", connection: 1 << 40))
    let (channel, session): (UInt32, UInt64) = (1 << 20, 1 << 40)
    try prepare(SetPasscode(passcode: Self.secret()))
    try prepare(OpenContext(context: context))
    try prepare(VerifyPasscode(context: context, unlocksDevice: true, passcode: Self.secret()))
    try prepare(OpenChannel(channel: channel, source: FrameSource(.synthetic)))
    try prepare(
      BeginEnrollment(session: session, channel: channel, context: context, name: "thumb"))
    for _ in 0..<5 {
      try prepare(AwaitTouch(session: session))
      touch(session, channel)
    }
    try prepare(CommitEnrollment(session: session))
    try prepare(CloseContext(context: context))
    try prepare(CloseChannel(channel: channel))
    _ = takeRoundTrips()
  }

  private static func secret() -> SecretBytes { SecretBytes(copying: Array(passcode.utf8).span) }

  /// The owner's finger lies on the sensor whose frames come through the last channel.
  func touch(_ session: UInt64) {
    guard let channel = state.read({ $0.channels.last }) else { return }
    touch(session, channel)
  }

  private func touch(_ session: UInt64, _ channel: UInt32) {
    let seed = state.update { state in
      defer { state.prints += 1 }
      return state.prints
    }
    let image = Self.finger.impression(seed: seed, conditions: .careful)
    let frame = SensorFrame(
      channel: channel, session: session, width: UInt32(image.width), height: UInt32(image.height),
      pixelsPerInch: UInt32(SyntheticFinger.pixelsPerInch), pixels: image.pixels)
    _ = handle(frame.encoded().bytes)
  }
}
