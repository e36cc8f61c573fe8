import LinuxSystem
import PluginHosting
import Protocol
import Sandbox

@testable import AuthCore

/// A process that is none: messages go to a closure, and what it says is put into a queue by a
/// test.
final class FakeHost: PluginProcess {
  /// What the process says; bytes, because `HostEvent` cannot wait in an array.
  enum Word: Sendable {
    case reply([UInt8])
    case event([UInt8])
    case opened(SensorIdentity?)
    case refused(Failure)
    case change(DeviceChange)
    case liftAwaited
  }

  private struct State {
    var words: [Word] = []
    var end: Failure?
    var isReaped = false
    var isHeld = false
  }

  let path: String
  let ready: HostReady
  private let code: FailureCode
  private let state = Guarded(State())
  private let onMessage: @Sendable (FakeHost, borrowing SecretBytes) -> Void

  init(
    _ name: String, code: FailureCode,
    onMessage: @escaping @Sendable (FakeHost, borrowing SecretBytes) -> Void
  ) {
    path = "/fake/\(name).so"
    self.code = code
    var report = SandboxReport(.enclave)
    report.lacks = ["\(name) lacks nothing real"]
    ready = HostReady(
      pluginName: name, pluginVersion: "1", abiVersion: 1 << 16, path: path, report: report)
    self.onMessage = onMessage
  }

  func send(
    _ message: borrowing some WireMessage & ~Copyable, descriptors: [Int32]
  ) throws(Failure) {
    if let end = state.read({ $0.end }) { throw end }
    onMessage(self, message.encoded())
  }

  func call(_ head: [UInt8], _ rest: Span<UInt8>) throws(Failure) {
    let request = head + rest.indices.map { rest[$0] }
    try send(EngineCall(SecretBytes(copying: request.span)), descriptors: [])
  }

  func receive(milliseconds: Int32) throws(Failure) -> HostEvent? {
    let take: (inout State) -> Result<Word, Failure>? = { state in
      if !state.words.isEmpty { return .success(state.words.removeFirst()) }
      return state.end.map { .failure($0) }
    }
    let outcome =
      milliseconds < 0
      ? state.wait { take(&$0) }
      : state.wait(nanoseconds: UInt64(milliseconds) * 1_000_000) { take(&$0) }
    guard let outcome else { return nil }
    switch try outcome.get() {
    case .reply(let bytes): return .reply(SecretBytes(copying: bytes.span))
    case .event(let bytes): return .event(SecretBytes(copying: bytes.span))
    case .opened(let identity): return .sensorOpened(SensorOpened(identity))
    case .refused(let failure): return .failure(failure)
    case .change(let change): return .deviceChange(change)
    case .liftAwaited: return .liftAwaited
    }
  }

  func waitForArrival() {
    state.wait { state in
      state.end != nil || !state.isHeld && !state.words.isEmpty ? () : nil
    }
  }

  func holdArrivals() { state.update { $0.isHeld = true } }

  func releaseArrivals() { state.update { $0.isHeld = false } }

  func say(_ word: Word) { state.update { $0.words.append(word) } }

  /// The process dies.
  func die(_ reason: String = "was ended by signal 9 (Killed)") {
    state.update { $0.end = $0.end ?? Failure(code, "\(path) \(reason)") }
  }

  var hasEnded: Bool { state.read { $0.end != nil } }

  /// Waits until it has ended.
  func waitForEnd() { state.wait { $0.end == nil ? nil : () } }

  /// Waits until its owner has noticed that it has ended.
  func waitUntilReaped() { state.wait { $0.isReaped ? () : nil } }

  func end() {
    die("was asked to end")
    state.update { $0.isReaped = true }
  }
}

extension SecretBytes {
  /// What a fake may look at.
  var array: [UInt8] { (0..<count).map { bytes[$0] } }
}
