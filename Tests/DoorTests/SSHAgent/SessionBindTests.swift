import Cryptography
import Foundation
import Protocol
import Testing

@testable import SSHAgent

/// The keys and signatures of `Fixtures/make-hosts`, by name.
enum HostFixture {
  static let session = (0..<32).map { UInt8($0) }

  static let all: [String: (key: [UInt8], signature: [UInt8])] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try? String(
      contentsOf: folder.appending(path: "Fixtures/hosts.txt"), encoding: .utf8)
    return Dictionary(
      uniqueKeysWithValues: (text ?? "").split(separator: "\n").map { line in
        let words = line.split(separator: " ").map(String.init)
        return (words[0], (Base64.decoded(words[1]) ?? [], Base64.decoded(words[2]) ?? []))
      })
  }()

  /// A bind of `session-bind@openssh.com`; by default what the host `name` signed.
  static func bind(
    _ name: String, session: [UInt8] = session, isForwarding: Bool = false,
    signature: [UInt8]? = nil
  ) throws -> [UInt8] {
    let host = try #require(all[name], "no host \(name)")
    var encoder = WireEncoder()
    encoder.writeByte(27)
    encoder.writeText("session-bind@openssh.com")
    encoder.writeBytes(host.key)
    encoder.writeBytes(session)
    encoder.writeBytes(signature ?? host.signature)
    encoder.writeBoolean(isForwarding)
    return encoder.finishPlain()
  }

  /// Proves another session with a P-256 key of the test's.
  static func bind(
    _ key: borrowing P256PrivateKey, session: [UInt8], isForwarding: Bool
  ) throws -> [UInt8] {
    let signature = try ECDSASignature(der: key.signature(forDigest: SHA2.sha256(session.span)))
    // The answer of an agent has the signature behind its number and length.
    let answer = AgentMessage.signed(signature.raw)
    var encoder = WireEncoder()
    encoder.writeByte(27)
    encoder.writeText("session-bind@openssh.com")
    encoder.writeBytes(key.publicKey.openSSHBlob)
    encoder.writeBytes(session)
    encoder.writeBytes(Array(answer[5...]))
    encoder.writeBoolean(isForwarding)
    return encoder.finishPlain()
  }
}

@Suite("SSH agent: a connection is bound to hosts that prove their keys")
struct SessionBindTests {
  private func answer(_ message: [UInt8], in session: inout AgentSession) -> UInt8? {
    guard case .tell(_, let answer) = session.take(message, isOurs: { _ in false }) else {
      return nil
    }
    return answer.first
  }

  @Test(
    "X8: hosts of every kind of key and a host with a certificate bind a connection",
    arguments: [
      "ed25519", "certificate", "nistp256", "nistp384", "nistp521", "rsa-sha2-256", "rsa-sha2-512",
    ])
  func kinds(name: String) throws {
    var session = AgentSession()
    #expect(answer(try HostFixture.bind(name), in: &session) == 6)
    #expect(session.binds.count == 1)
    #expect(session.binds.first?.session == HostFixture.session)
  }

  @Test("X8: a certificate of a host names the same key as the host's key")
  func certificate() throws {
    let host = try PublicKeyBlob(#require(HostFixture.all["ed25519"]).key)
    let certificate = try PublicKeyBlob(#require(HostFixture.all["certificate"]).key)
    #expect(certificate.isCertificate && !host.isCertificate)
    #expect(certificate.plain == host.plain && certificate.fingerprint == host.fingerprint)
    #expect(host.fingerprint.hasPrefix("SHA256:") && host.fingerprint.count == 50)
  }

  @Test(
    "X8: a signature of another session, of another host, with SHA-1 or of no bytes binds nothing")
  func refusals() throws {
    let other = try #require(HostFixture.all["nistp256"]).signature
    for bind in [
      try HostFixture.bind("ed25519", session: [1, 2, 3]),
      try HostFixture.bind("ed25519", signature: other), try HostFixture.bind("ssh-rsa"),
      try HostFixture.bind("ed25519", signature: []),
      try HostFixture.bind("ed25519", session: [UInt8](repeating: 1, count: 129)),
    ] {
      var session = AgentSession()
      #expect(answer(bind, in: &session) == 28)
      #expect(session.binds.isEmpty)
    }
  }

  @Test("X8: any changed byte of a bind, and any shorter one, is refused")
  func damage() throws {
    let bind = try HostFixture.bind("ed25519")
    let field = 1 + 4 + "session-bind@openssh.com".utf8.count
    // The last byte says whether it forwards, and any value but 0 does.
    for index in field..<bind.count - 1 {
      var changed = bind
      changed[index] ^= 1
      var session = AgentSession()
      #expect(answer(changed, in: &session) == 28, "byte \(index)")
    }
    for count in field..<bind.count {
      var session = AgentSession()
      #expect(answer(Array(bind[..<count]), in: &session) == 28, "\(count) bytes")
    }
  }

  @Test("X8: after a bind that does not forward, a connection takes no further one")
  func last() throws {
    let key = try P256PrivateKey()
    var session = AgentSession()
    #expect(answer(try HostFixture.bind("ed25519"), in: &session) == 6)
    let second = try HostFixture.bind(key, session: [9], isForwarding: false)
    #expect(answer(second, in: &session) == 28)
    #expect(session.binds.count == 1)
  }

  @Test("X8: the same session binds again with the same host, and never with another one")
  func again() throws {
    let key = try P256PrivateKey()
    var session = AgentSession()
    let first = try HostFixture.bind("ed25519", isForwarding: true)
    #expect(answer(first, in: &session) == 6)
    #expect(answer(first, in: &session) == 6)
    let other = try HostFixture.bind(key, session: HostFixture.session, isForwarding: true)
    #expect(answer(other, in: &session) == 28)
    #expect(session.binds.count == 1)
  }

  @Test("X8: sixteen sessions bind a connection, and a seventeenth does not")
  func many() throws {
    let key = try P256PrivateKey()
    var session = AgentSession()
    for number in 1...17 as ClosedRange<UInt8> {
      let bind = try HostFixture.bind(key, session: [number], isForwarding: true)
      #expect(answer(bind, in: &session) == (number <= 16 ? 6 : 28))
    }
  }
}
