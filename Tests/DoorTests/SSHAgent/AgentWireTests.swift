import CoreClient
import Cryptography
import Foundation
import LinuxSystem
import Protocol
import TestSupport
import Testing

@testable import SSHAgent

@Suite("SSH agent: bytes, files and words")
struct AgentWireTests {
  @Test("X8: messages are cut from any pieces, and a length of 0 or above 256 KiB ends all")
  func cutting() throws {
    let stream: [UInt8] = [0, 0, 0, 1, 11, 0, 0, 0, 2, 27, 1]
    for size in 1...stream.count {
      var cutter = MessageCutter()
      var found: [[UInt8]] = []
      for start in stride(from: 0, to: stream.count, by: size) {
        cutter.append(stream[start..<min(start + size, stream.count)])
        while let message = try cutter.next() { found.append(message) }
      }
      #expect(found == [[11], [27, 1]], "pieces of \(size)")
    }
    for length in [[0, 0, 0, 0], [0, 4, 0, 1], [255, 255, 255, 255]] as [[UInt8]] {
      var cutter = MessageCutter()
      cutter.append(length[...])
      #expect(throws: DecodeError.self) { try cutter.next() }
    }
  }

  @Test("X8: a number has a zero byte before a top bit of 1 and nowhere else")
  func integers() throws {
    for (bytes, encoded) in [
      ([0, 0, 1], [1]), ([0x80], [0, 0x80]), ([0x7F], [0x7F]), ([0, 0xFF, 1], [0, 0xFF, 1]),
    ] as [([UInt8], [UInt8])] {
      var encoder = WireEncoder()
      encoder.writeInteger(bytes)
      let written = encoder.finishPlain()
      #expect(written == [0, 0, 0, UInt8(encoded.count)] + encoded)
      var decoder = WireDecoder(written.span)
      #expect(try decoder.readInteger(limit: 8) == Array(bytes.drop { $0 == 0 }))
    }
    for wrong in [[], [0], [0, 1], [0x80]] as [[UInt8]] {
      var encoder = WireEncoder()
      encoder.writeBytes(wrong)
      let written = encoder.finishPlain()
      #expect(throws: DecodeError.self) {
        var decoder = WireDecoder(written.span)
        return try decoder.readInteger(limit: 8)
      }
    }
  }

  @Test("X8: a list is read as it was written, and nothing else is a list")
  func lists() {
    let identities = [
      AgentMessage.Identity(blob: [1, 2], comment: Array("Schlüssel".utf8)),
      AgentMessage.Identity(blob: [], comment: []),
    ]
    let list = AgentMessage.list(identities)
    #expect(AgentMessage.identities(in: list) == identities)
    for count in 0..<list.count {
      #expect(AgentMessage.identities(in: Array(list[..<count])) == nil)
    }
    #expect(AgentMessage.identities(in: list + [0]) == nil)
    #expect(AgentMessage.identities(in: [12, 255, 255, 255, 255]) == nil)
  }

  @Test("X8: a host has the first plain name in the files; a revoked key has none")
  func names() throws {
    let folder = try TemporaryFolder()
    let host = try PublicKeyBlob(#require(HostFixture.all["ed25519"]).key)
    let key = "ssh-ed25519 " + Data(host.plain).base64EncodedString()
    let file = folder.url.appendingPathComponent("known_hosts")
    let hosts = KnownHosts(files: [folder.url.path + "/none", file.path])
    for (text, name) in [
      (
        "# comment\n|1|c2FsdA==|aGFzaA== \(key)\n*.example.org,!x,host-a,10.0.0.1 \(key)\n",
        "host-a"
      ),
      ("@cert-authority host-b \(key)\nhost-c\t\(key) a comment\r\n", "host-c"),
      ("[host-d]:2222 \(key)\n", "[host-d]:2222"),
      ("host-e ssh-ed25519 AAAA\n", nil), ("host-f \(key)\n@revoked * \(key)\n", nil),
      ("\0\u{1}", nil),
    ] as [(String, String?)] {
      try text.write(to: file, atomically: true, encoding: .utf8)
      #expect(hosts.name(of: host) == name)
    }
  }

  @Test("X8: a hashed host has the name that the command or ssh's configuration says")
  func hashedNames() throws {
    let folder = try TemporaryFolder()
    let host = try PublicKeyBlob(#require(HostFixture.all["ed25519"]).key)
    let key = "ssh-ed25519 " + Data(host.plain).base64EncodedString()
    // As ssh-keygen -H hashes example.org and [mine.example.org]:2222.
    let plain = "|1|cu+wvkYpmER2SneO27cQpNvsLv4=|QF2FuIxf9r3GU8ZLnDQ4dt5Sh8U= \(key)\n"
    let ported = "|1|zTgffZI920DDijr9BBA5W5lcow4=|VhMdt4l+NshnR6+lLxOIPVPhLhU= \(key)\n"
    let known = folder.url.appendingPathComponent("known_hosts")
    let settings = try folder.write(
      "config", "Host home\n  HostName=mine.example.org\n  Port 2222\n")
    for (text, command, name) in [
      (plain, ["ssh", "-v", "ann@Example.org", "git-upload-pack"], "example.org"),
      (plain, ["ssh", "example.com"], nil), (plain, [], nil),
      (ported, ["ssh", "-p", "2222", "mine.example.org"], "[mine.example.org]:2222"),
      (ported, ["ssh", "-p2222", "mine.example.org"], "[mine.example.org]:2222"),
      (ported, ["ssh", "mine.example.org"], nil),
      (plain.replacing("QF2F", with: "QF2G"), ["ssh", "example.org"], nil),
      ("|1|c2FsdA==|\(key)\n|1|| \(key)\n||| \(key)\n", ["", "@", "ssh"], nil),
    ] as [(String, [String], String?)] {
      try text.write(to: known, atomically: true, encoding: .utf8)
      let found = KnownHosts(files: [known.path]).name(of: host, for: command)
      #expect(found == name, "\(command)")
    }
    try ported.write(to: known, atomically: true, encoding: .utf8)
    let hosts = KnownHosts(files: [known.path], configuration: settings)
    #expect(hosts.name(of: host, for: ["ssh", "home"]) == "[mine.example.org]:2222")
  }

  @Test("X8: a prompt tells host, user, key, hops and caller, and marks what a caller said")
  func reasons() throws {
    let host = try PublicKeyBlob(#require(HostFixture.all["ed25519"]).key)
    let hop = try PublicKeyBlob(#require(HostFixture.all["nistp384"]).key)
    let login = SignedData.Login(session: [1], user: "bob\u{201D}\u{202E}\n", hostKey: nil)
    let request = SignRequest(
      point: [], bytes: [], data: .login(login),
      binds: [
        HostBind(host: hop, session: [0], isForwarding: true),
        HostBind(host: host, session: [1], isForwarding: false),
      ])
    let reason = SigningReason(
      request, "deploy", by: .unknown, KnownHosts(files: []), waiting: 2)
    #expect(
      reason.text
        == "Log in to \(host.fingerprint) as \u{201C}bob'\u{FFFD}\u{FFFD}\u{201D}. "
        + "The key is \u{201C}deploy\u{201D}. "
        + "Asked by a program that is gone. Forwarded through \(hop.fingerprint). 2 more wait.")
    #expect(reason.destination?.isVerified == true)
    let unbound = SignRequest(
      point: [], bytes: [], data: .file(namespace: "git"), binds: [])
    #expect(
      SigningReason(unbound, "", by: .unknown, KnownHosts(files: [])).text
        == "Sign a commit or a tag of Git. Asked by a program that is gone.")
  }

  @Test("X8: a row of a list that is no key is told from keys")
  func rows() {
    let point = [UInt8](repeating: 4, count: 65)
    let keys = [P256PublicKey.openSSHBlob(of: point), [0, 0, 0, 1, 0x78]]
    #expect(keys.allSatisfy { AgentMessage.Identity(blob: $0, comment: []).isKey })
    let others: [[UInt8]] = [[], Array("garbage".utf8), [0, 0, 0, 0], [0, 0, 0, 1, 0xFF]]
    #expect(!others.contains { AgentMessage.Identity(blob: $0, comment: []).isKey })
  }

  @Test("X8: turns to prompt come in order, and a caller that is gone loses its place")
  func turns() throws {
    let turns = PromptTurns()
    let gone = CancellationSignal()
    gone.cancel()
    try turns.take(of: 1, CancellationSignal()) { (waiting) throws(Failure) in
      #expect(waiting == 0)
      #expect(throws: Failure.self) {
        try turns.take(of: 1, gone) { (_) throws(Failure) in Issue.record("it was cancelled") }
      }
    }
    try turns.take(of: 1, CancellationSignal()) { (waiting) throws(Failure) in
      #expect(waiting == 0)
    }
  }

  @Test(
    "X8: processes take turns to prompt, and a cancelled prompt refuses what its program waits with"
  )
  func fairTurns() throws {
    let turns = PromptTurns()
    let order = Guarded<[Int32]>([])
    let ended = Guarded<[Int32: [FailureCode]]>([:])
    func arrive(_ process: Int32, cancelsAt number: Int? = nil) {
      SystemThread.start(name: "client") {
        do throws(Failure) {
          try turns.take(of: process, CancellationSignal()) { (_) throws(Failure) in
            let count = order.update { order in
              order.append(process)
              return order.count
            }
            if count == number { throw Failure(.userCancel, "") }
          }
        } catch {
          ended.update { $0[process, default: []].append(error.code) }
        }
      }
    }
    try turns.take(of: 9, CancellationSignal()) { (_) throws(Failure) in
      for _ in 0..<PromptTurns.mostOfProcess { arrive(1, cancelsAt: 3) }
      #expect(eventually { turns.waiting == PromptTurns.mostOfProcess })
      arrive(1)
      #expect(eventually { ended.read { $0[1] } == [.busy] })
      arrive(2)
      #expect(eventually { turns.waiting == PromptTurns.mostOfProcess + 1 })
    }
    #expect(eventually { ended.read { $0[1]?.count } == PromptTurns.mostOfProcess })
    #expect(order.read { $0 } == [1, 2, 1])
  }

  @Test(
    "X8: options of the agent are checked",
    arguments: [
      ["--reuse", "0"], ["--reuse", "301"], ["--reuse", "x"], ["--socket"], ["--socket", ""],
      ["--timeout", "0"], ["--nonsense", "x"],
    ])
  func options(arguments: [String]) {
    #expect(throws: Failure.self) { try AgentArguments(arguments) }
  }
}
