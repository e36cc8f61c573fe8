import Cryptography
import Foundation
import Glibc
import LinuxSystem
import Protocol
import TestSupport
import Testing

/// OpenSSH's agent, until the value ends.
private final class OpenSSHAgent {
  let socket: String
  private let process = Process()

  init(in folder: borrowing TemporaryFolder) throws {
    socket = folder.file("upstream")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/ssh-agent")
    process.arguments = ["-D", "-a", socket]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    try #require(eventually { FileManager.default.fileExists(atPath: socket) })
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }
}

/// A client that sends messages of its own, all by one connection.
private struct AgentConnection: ~Copyable {
  private let socket: Descriptor

  init(to path: String) throws {
    guard let socket = try UnixSocket.connect(to: path) else { throw POSIXError(.ECONNREFUSED) }
    self.socket = socket
  }

  /// - Returns: the number of the answer; nil if there is none.
  func ask(_ message: [UInt8]) -> UInt8? {
    var frame = WireEncoder()
    frame.writeBytes(message)
    guard DescriptorBytes.write(frame.finishPlain().span, to: socket.number) else { return nil }
    var head = [UInt8](repeating: 0, count: 5)
    guard unsafe recv(socket.number, &head, 5, Int32(MSG_WAITALL)) == 5 else { return nil }
    var rest = [UInt8](repeating: 0, count: head[..<4].reduce(0) { $0 << 8 | Int($1) } - 1)
    guard !rest.isEmpty else { return head[4] }
    let count = unsafe recv(socket.number, &rest, rest.count, Int32(MSG_WAITALL))
    return count == rest.count ? head[4] : nil
  }
}

@Suite("SSH agent: another agent behind ours", .timeLimit(.minutes(60)))
struct SSHAgentUpstreamTests {
  private let state: TestHome
  private let upstream: OpenSSHAgent
  private let agent: RunningAgent
  /// A key in a file, and its public half.
  private let file: String

  init() throws {
    state = try TestHome()
    try state.succeed("key", "create", "plain")
    upstream = try OpenSSHAgent(in: state.folder)
    agent = try RunningAgent(state, ["--upstream", upstream.socket])
    file = state.folder.file("file")
    try agent.run("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", file])
      .expectSuccess()
  }

  private func add(_ arguments: String...) throws -> CommandRun {
    try agent.run("/usr/bin/ssh-add", arguments)
  }

  @Test("X8: the other agent's keys are added, listed behind ours, used and removed through ours")
  func keys() throws {
    let plain = try state.publicHalf("plain").path
    try add("-q", file).expectSuccess()
    let lines = try add("-L").text.split(separator: "\n").map { $0.split(separator: " ")[0] }
    #expect(lines == ["ecdsa-sha2-nistp256", "ssh-ed25519"])
    try add("-T", plain, file + ".pub").expectSuccess()
    #expect(try add("-d", plain).status != 0)
    try add("-q", "-d", file).expectSuccess()
    #expect(try add("-T", file + ".pub").status != 0)
    try add("-q", file).expectSuccess()
    try add("-q", "-D").expectSuccess()
    #expect(try add("-L").text.split(separator: "\n").count == 1)
    try add("-T", plain).expectSuccess()
  }

  @Test("X8: a connection that was forwarded adds no key to the other agent")
  func forwarded() throws {
    let connection = try AgentConnection(to: agent.socket)
    #expect(connection.ask(try addition) == 6)
    #expect(connection.ask([19]) == 6)
    #expect(connection.ask(try bind) == 6)
    #expect(connection.ask(try addition) == 5)
    #expect(connection.ask([11]) == 12)
    #expect(try add("-L").text.split(separator: "\n").count == 1)
  }

  /// Adds the key of the file. What a file without a passphrase has of it is what the message has
  /// (OpenSSH's PROTOCOL.key).
  private var addition: [UInt8] {
    get throws {
      let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      let bytes = try #require(Base64.decoded(lines.dropFirst().dropLast().joined()))
      let magic = Array("openssh-key-v1\0".utf8)
      try #require(bytes.starts(with: magic))
      var decoder = WireDecoder(bytes.span.extracting(droppingFirst: magic.count))
      // Cipher, derivation of its key, and that one's options.
      for _ in 0..<3 { _ = try decoder.readBytes(limit: 64) }
      #expect(try decoder.readUInt32() == 1)
      _ = try decoder.readBytes(limit: 1024)
      // Two check numbers, the key with an empty comment, the padding.
      let fields = 4 + 11 + 4 + 32 + 4 + 64 + 4
      return [17] + (try decoder.readBytes(limit: 1024)).dropFirst(8).prefix(fields)
    }
  }

  /// Binds a connection to a host that it was forwarded to.
  private var bind: [UInt8] {
    get throws {
      let path = "Tests/DoorTests/SSHAgent/Fixtures/hosts.txt"
      let text = try String(
        contentsOf: Products.sources.appendingPathComponent(path), encoding: .utf8)
      let words = try #require(text.split(separator: "\n").first { $0.hasPrefix("ed25519 ") })
        .split(separator: " ").map(String.init)
      var encoder = WireEncoder()
      encoder.writeByte(27)
      encoder.writeText("session-bind@openssh.com")
      encoder.writeBytes(try #require(Base64.decoded(words[1])))
      encoder.writeBytes(Array(0..<32))
      encoder.writeBytes(try #require(Base64.decoded(words[2])))
      encoder.writeBoolean(true)
      return encoder.finishPlain()
    }
  }
}
