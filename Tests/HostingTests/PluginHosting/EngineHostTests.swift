import Foundation
import LinuxSystem
import PluginHosting
import Protocol
import Sandbox
import TestSupport
import Testing

@Suite("The enclave in its host")
struct EngineHostTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func start(_ macros: [String] = []) throws -> HostProcess {
    let path = try Fixture.compile("engine.c", macros, in: folder)
    return try HostProcess.startEnclave(
      TrustedFile(checking: path), folder: folder.file("enclave"), in: Fixture.installation())
  }

  private func call(_ host: HostProcess, _ request: [UInt8]) throws -> [UInt8] {
    try host.send(EngineCall(SecretBytes(copying: request.span)))
    while let message = try host.receive() {
      if case .reply(let reply) = consume message { return bytes(reply) }
    }
    Issue.record("no reply")
    return []
  }

  private func bytes(_ secret: borrowing SecretBytes) -> [UInt8] {
    (0..<secret.count).map { secret.bytes[$0] }
  }

  private func call(_ host: HostProcess, _ request: String) throws -> [UInt8] {
    try call(host, Array(request.utf8))
  }

  @Test("a call is answered, and the host says what it runs and how it is confined")
  func answer() throws {
    let host = try start()
    #expect(host.ready.pluginName == "fixture-enclave")
    #expect(host.ready.path == folder.file("plugin.so"))
    #expect(host.ready.report.confinement == .enclave)
    #expect(host.ready.report.seccomp)
    #expect(try call(host, "anything") == Array("anything".utf8))
  }

  @Test("a large request comes back whole")
  func largeRequest() throws {
    let host = try start()
    let request = [UInt8](repeating: 7, count: 5 << 20)
    #expect(try call(host, request) == request)
  }

  @Test("files of the store outlast the host, are private, and can be removed")
  func store() throws {
    do {
      let host = try start()
      #expect(try call(host, "l") == [116])
      #expect(try call(host, "ssealed") == [0])
      host.end()
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("enclave/state"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let host = try start()
    #expect(try call(host, "l") == [0] + Array("sealed".utf8))
    #expect(try call(host, "r") == [0])
    #expect(try call(host, "l") == [116])
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: folder.file("enclave")))
        == [".lock", ".reserve"])
  }

  @Test("a name that leaves the folder is refused by the store, and other files by the sandbox")
  func confinedToFolder() throws {
    let host = try start()
    #expect(try call(host, "n") == [109])
    #expect(try call(host, "p") == [UInt8(EACCES)])
    #expect(try call(host, "d") == [UInt8(EACCES)])
  }

  @Test("the folder has one enclave at a time")
  func folderLock() throws {
    let first = try start()
    let failure = try #require(throws: Failure.self) { try start() }
    #expect(failure.code == .busy)
    #expect(failure.message.contains(folder.file("enclave")))
    #expect(failure.hint?.contains(Failure.endingTheCore) == true)
    first.end()
    #expect(throws: Never.self) { try start() }
  }

  @Test("an event comes before the reply of its call")
  func event() throws {
    let host = try start()
    try host.send(EngineCall(SecretBytes(copying: Array("e".utf8).span)))
    guard case .event(let event) = try host.receive() else {
      Issue.record("no event")
      return
    }
    #expect(bytes(event) == Array("event".utf8))
    guard case .reply = try host.receive() else {
      Issue.record("no reply")
      return
    }
  }

  @Test("E6: frames go to the engine under the channel they came through, not the one they claim")
  func frames() throws {
    let host = try start()
    let pair = try SocketPair()
    try host.send(AttachSensor(channel: 9), descriptors: [pair.near.number])
    let frames = try MessageStream(pair.far.duplicate(), limit: 1 << 20)
    try frames.send(SensorRetry(channel: 4, session: 5, reason: 2).encoded())
    guard case .event(let event) = try host.receive() else {
      Issue.record("no event")
      return
    }
    let retry = try SensorRetry.decode(event.bytes)
    #expect([retry.channel, UInt32(retry.session)] == [9, 5])
  }

  @Test("the end of a driver's host is told to the engine")
  func endOfFrames() throws {
    let host = try start()
    do {
      let pair = try SocketPair()
      try host.send(AttachSensor(channel: 3), descriptors: [pair.near.number])
    }
    guard case .event(let event) = try host.receive() else {
      Issue.record("no event")
      return
    }
    let end = try SensorEnd.decode(event.bytes)
    #expect(end.channel == 3)
    #expect(end.session == 0)
    #expect(end.status == SensorStatus.gone)
  }

  @Test(
    "a frame socket that sends anything else is closed; the enclave goes on",
    arguments: [
      [0, 0, 0, 5, 1, 0, 0, 0, 0], [0, 0, 0, 2, 240, 0], [0xff, 0xff, 0xff, 0xff], [0, 0, 0, 0],
    ])
  func badFrames(bytes: [UInt8]) throws {
    let host = try start()
    let pair = try SocketPair()
    try host.send(AttachSensor(channel: 3), descriptors: [pair.near.number])
    #expect(unsafe send(pair.far.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    guard case .event(let event) = try host.receive() else {
      Issue.record("no event")
      return
    }
    #expect(try SensorEnd.decode(event.bytes).status == SensorStatus.protocolViolation)
    #expect(try call(host, "alive") == Array("alive".utf8))
  }

  @Test("a driver's host that stops in the middle of a frame keeps nobody waiting")
  func halfFrame() throws {
    let host = try start()
    let pair = try SocketPair()
    try host.send(AttachSensor(channel: 3), descriptors: [pair.near.number])
    #expect(unsafe send(pair.far.number, [0, 0, 1, 0, 240], 5, Int32(MSG_NOSIGNAL)) == 5)
    #expect(try call(host, "alive") == Array("alive".utf8))
  }

  @Test(
    "an enclave that breaks is ended with the reason; the next one works",
    arguments: [
      ("x", "crashed: its process was ended by signal 11"), ("k", "system call socket"),
      ("b", "call returned 114"), ("2", "gave 2 replies"),
    ])
  func brokenEnclave(request: String, reason: String) throws {
    let host = try start()
    let failure = try #require(throws: Failure.self) { try call(host, request) }
    #expect(failure.code == .engineFailed)
    #expect(failure.message.contains(reason), "\(failure.message)")
    #expect(try call(start(), "alive") == Array("alive".utf8))
  }

  @Test("a killed enclave is told with its signal, also to who sends; the next one works")
  func killedEnclave() throws {
    let host = try start()
    #expect(try call(host, "ssealed") == [0])
    #expect(kill(host.identifier, SIGKILL) == 0)
    let failure = try #require(throws: Failure.self) { _ = try host.receive() }
    #expect(failure.message.contains("was ended by signal 9"))
    let again = try #require(throws: Failure.self) { try host.send(AttachSensor(channel: 1)) }
    #expect(again == failure)
    #expect(try call(start(), "l") == [0] + Array("sealed".utf8))
  }

  @Test(
    "a folder that cannot be written gives an error with the reason; the file in it is untouched",
    .disabled(if: geteuid() == 0, "root may write everywhere"))
  func readOnlyFolder() throws {
    let host = try start()
    #expect(try call(host, "ssealed") == [0])
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o500], ofItemAtPath: folder.file("enclave"))
    try host.send(EngineCall(SecretBytes(copying: Array("sother".utf8).span)))
    guard case .log(.error, let line) = try host.receive() else {
      Issue.record("no log line")
      return
    }
    #expect(line == "Cannot write \(folder.file("enclave"))/state: Permission denied")
    guard case .reply(let reply) = try host.receive() else {
      Issue.record("no reply")
      return
    }
    #expect(bytes(reply) == [106])
    #expect(try call(host, "l") == [0] + Array("sealed".utf8))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: folder.file("enclave"))
  }

  @Test("an enclave that does not return ends with its mailbox all the same")
  func hangingEnclave() throws {
    let host = try start()
    try host.send(EngineCall(SecretBytes(copying: Array("h".utf8).span)))
    let process = "/proc/\(host.identifier)"
    host.end()
    #expect(!FileManager.default.fileExists(atPath: process))
  }

  @Test("an enclave that cannot start says why")
  func refusedCreation() throws {
    let failure = try #require(throws: Failure.self) { try start(["REFUSE"]) }
    #expect(failure.code == .stateDamaged)
    #expect(failure.message == "the root key is damaged")
  }

  @Test("a policy engine is not taken for an enclave")
  func wrongKind() throws {
    let failure = try #require(throws: Failure.self) { try start(["KIND=AC_ENGINE_POLICY"]) }
    #expect(failure.message.contains("it is no enclave engine"))
  }

  @Test("a folder that others can reach is refused with the command that mends it")
  func openFolder() throws {
    try folder.makeFolder("enclave")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.file("enclave"))
    let failure = try #require(throws: Failure.self) { try start() }
    #expect(failure.code == .storageFailed)
    #expect(failure.hint == "run: chmod 700 \(folder.file("enclave"))")
  }
}
