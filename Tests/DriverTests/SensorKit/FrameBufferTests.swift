import AuthcoreABI
import CTestSupport
import EngineKit
import LinuxSystem
import Protocol
import TestSupport
import Testing

@testable import EnclaveEngine
@testable import PluginHosting

/// The way of a frame in one process: driver, its host, socket, the enclave's host, enclave.
@Suite("A frame on its way")
struct FrameBufferTests {
  /// An enclave that awaits the first touch of a finger.
  private func enclave(in folder: TemporaryFolder) throws -> EnclaveEngine {
    let services = HostServices(
      store: try FolderStore(path: folder.path), log: { _, _ in }, events: { _ in })
    let engine = EnclaveEngine(
      platform: try unsafe EngineServices(host: UnsafePointer(services.table)),
      passcodeCost: .calibrated)
    func ask(_ message: borrowing some WireMessage & ~Copyable) throws {
      let reply = engine.handle(message.encoded().bytes)
      if reply.bytes[0] == Failure.number { throw try Failure.decode(reply.bytes) }
    }
    func passcode() -> SecretBytes { SecretBytes(copying: Array("tulip 42".utf8).span) }
    let context = ContextName(1, of: Requester(application: "test", connection: 1))
    try ask(SetPasscode(passcode: passcode()))
    try ask(OpenContext(context: context))
    try ask(VerifyPasscode(context: context, unlocksDevice: true, passcode: passcode()))
    try ask(OpenChannel(channel: 1, source: FrameSource(.synthetic)))
    try ask(BeginEnrollment(session: 1, channel: 1, context: context, name: "thumb"))
    try ask(AwaitTouch(session: 1))
    return engine
  }

  /// USB adds three: the memory of a transfer, the transport's result, and the driver's bytes. That
  /// makes seven.
  @Test("a frame lies in four buffers from the driver that made it to the matcher")
  func buffers() throws {
    guard counts_allocations() else { return }
    let engine = try enclave(in: TemporaryFolder())
    let pair = try SocketPair()
    let stream = MessageStream(
      try pair.near.duplicate(), limit: HostProtocol.maximumFrameMessage)
    let channel = FrameChannel(1, try pair.far.duplicate())
    try TestHost.run { _ in
      let part = ProbeSensor.picture[5000..<5040].map { CChar(bitPattern: $0) }
      unsafe watch_blocks(part, ProbeSensor.picture.count)
      defer { stop_watching_blocks() }
      do {
        let sensor = try LoadedDriver.probe().open([.text("behavior", "picture")])
        let outcome = sensor.hosted().capture(session: 1, timeoutMilliseconds: 1000)
        #expect(outcome.status == 0)
        try stream.send(outcome.message)
        guard case .message(let arrived) = channel.read() else {
          Issue.record("no frame came")
          return
        }
        _ = engine.handle(arrived.bytes)
      }
      // The driver's own, the message on either side, and the matcher's.
      #expect(watched_blocks() == 4)
    }
  }
}
