import Cryptography
import Protocol
import SyntheticPrints
import Testing

@testable import SSHAgent

@Suite("SSH agent: what a connection may ask, by what it has said")
struct AgentSessionTests {
  private static let point: [UInt8] = {
    do { return try P256PrivateKey().publicKey.point } catch { return [] }
  }()
  private static let blob = P256PublicKey.openSSHBlob(of: point)

  private enum Kind: Equatable {
    case answer(UInt8?), list, sign, refuse, forward, tell
  }

  private func kind(_ message: [UInt8], in session: inout AgentSession) -> Kind {
    switch session.take(message, isOurs: { $0 == Self.point }) {
    case .answer(let answer): .answer(answer.first)
    case .list: .list
    case .sign: .sign
    case .refuse: .refuse
    case .forward: .forward
    case .tell: .tell
    }
  }

  private func message(_ number: UInt8, _ strings: [UInt8]..., flags: UInt32? = nil) -> [UInt8] {
    var encoder = WireEncoder()
    encoder.writeByte(number)
    for string in strings { encoder.writeBytes(string) }
    if let flags { encoder.writeUInt32(flags) }
    return encoder.finishPlain()
  }

  /// A login, as ssh has it signed.
  private func login(
    session: [UInt8], host: [UInt8]? = nil, key: [UInt8] = blob, user: [UInt8] = Array("bob".utf8),
    service: String = "ssh-connection"
  ) -> [UInt8] {
    var encoder = WireEncoder()
    encoder.writeBytes(session)
    encoder.writeByte(50)
    encoder.writeBytes(user)
    encoder.writeText(service)
    encoder.writeText(host == nil ? "publickey" : "publickey-hostbound-v00@openssh.com")
    encoder.writeByte(1)
    encoder.writeText("ecdsa-sha2-nistp256")
    encoder.writeBytes(key)
    if let host { encoder.writeBytes(host) }
    return encoder.finishPlain()
  }

  private func sign(_ data: [UInt8], _ blob: [UInt8] = blob) -> [UInt8] {
    message(13, blob, data, flags: 4)
  }

  @Test("X8: a login is signed for the session and the host that the connection is bound to alone")
  func boundLogin() throws {
    let host = try #require(HostFixture.all["ed25519"]).key
    let other = try #require(HostFixture.all["nistp256"]).key
    var session = AgentSession()
    #expect(kind(sign(login(session: [1])), in: &session) == .sign)
    #expect(kind(try HostFixture.bind("ed25519"), in: &session) == .tell)
    let bound = HostFixture.session
    #expect(kind(sign(login(session: bound)), in: &session) == .sign)
    #expect(kind(sign(login(session: bound, host: host)), in: &session) == .sign)
    #expect(kind(sign(login(session: [1])), in: &session) == .refuse)
    #expect(kind(sign(login(session: bound, host: other)), in: &session) == .refuse)
  }

  @Test("FINDINGS A1: a login that no host is proved for, and what was handed on, may be forwarded")
  func forwarded() throws {
    func mayBeForwarded(_ data: [UInt8], _ binds: [UInt8]...) throws -> Bool {
      var session = AgentSession()
      for bind in binds { _ = kind(bind, in: &session) }
      switch session.take(sign(data), isOurs: { _ in true }) {
      case .sign(let request), .refuse(let request, _): return request.mayBeForwarded
      default: throw DecodeError.invalidValue(field: "step")
      }
    }
    let bound = login(session: HostFixture.session)
    #expect(try mayBeForwarded(bound))
    #expect(try mayBeForwarded([0, 0, 0, 0, 50]), "a broken login")
    #expect(try !mayBeForwarded(bound, HostFixture.bind("ed25519")))
    #expect(try mayBeForwarded(bound, HostFixture.bind("ed25519", isForwarding: true)))
    #expect(try !mayBeForwarded(Array("any".utf8)))
    #expect(try mayBeForwarded(Array("any".utf8), HostFixture.bind("ed25519", isForwarding: true)))
  }

  @Test("X8: a login of any form is bound, and what only begins as one is not signed")
  func formsOfLogins() throws {
    let users: [[UInt8]] = [
      Array("root:".utf8) + [UInt8](repeating: 0x41, count: 1100), Array("root:".utf8) + [0xFF], [],
    ]
    var session = AgentSession()
    _ = kind(try HostFixture.bind("ed25519", isForwarding: true), in: &session)
    for user in users {
      let data = login(session: [1], user: user)
      #expect(kind(sign(data), in: &session) == .refuse)
      var unbound = AgentSession()
      guard case .sign(let request) = unbound.take(sign(data), isOurs: { _ in true }) else {
        Issue.record("not signed: \(user)")
        continue
      }
      #expect(request.data.purpose == "login" && request.data.user?.utf8.count ?? 9999 < 2000)
    }
    let unknown = login(session: HostFixture.session, host: [0, 0, 0, 1, 0x78])
    #expect(kind(sign(unknown), in: &session) == .refuse)
    let whole = login(session: [1])
    for broken in [Array(whole.dropLast()), whole + [0], login(session: [1], service: "x")] {
      var unbound = AgentSession()
      #expect(kind(sign(broken), in: &unbound) == .refuse)
    }
  }

  @Test("X8: a forwarded connection logs in to the host that it is bound to last")
  func forwardedLogin() throws {
    let key = try P256PrivateKey()
    var session = AgentSession()
    _ = kind(try HostFixture.bind("ed25519", isForwarding: true), in: &session)
    #expect(kind(sign(login(session: HostFixture.session)), in: &session) == .refuse)
    _ = kind(try HostFixture.bind(key, session: [7], isForwarding: false), in: &session)
    #expect(kind(sign(login(session: HostFixture.session)), in: &session) == .refuse)
    guard case .sign(let request) = session.take(sign(login(session: [7])), isOurs: { _ in true })
    else {
      Issue.record("not signed")
      return
    }
    #expect(request.isForwarded)
    #expect(request.data == .login(SignedData.Login(session: [7], user: "bob", hostKey: nil)))
  }

  @Test("X8: after a bind that proved nothing, an unbound connection logs in to no host")
  func failedBind() throws {
    var session = AgentSession()
    _ = kind(try HostFixture.bind("ed25519", signature: []), in: &session)
    #expect(kind(sign(login(session: [1])), in: &session) == .refuse)
    #expect(kind(sign([1, 2, 3]), in: &session) == .sign)
  }

  @Test("FINDINGS A7: a touch is reused where nothing was forwarded, and no bind was refused")
  func reuse() throws {
    func request(_ binds: [[UInt8]]) -> SignRequest? {
      var session = AgentSession()
      for bind in binds { _ = session.take(bind, isOurs: { _ in true }) }
      guard case .sign(let request) = session.take(sign(Array("data".utf8)), isOurs: { _ in true })
      else { return nil }
      return request
    }
    let broken = try HostFixture.bind("ed25519", session: [9])
    let forwarding = try HostFixture.bind("ed25519", isForwarding: true)
    #expect(request([])?.mayBeForwarded == false)
    #expect(request([try HostFixture.bind("ed25519")])?.mayBeForwarded == false)
    #expect(request([broken])?.mayBeForwarded == true)
    #expect(request([forwarding])?.mayBeForwarded == true)
  }

  @Test("X8: keys, smart cards and locks are the other agent's, and not for a forwarded connection")
  func changes() throws {
    for number in [17, 19, 20, 21, 22, 23, 25, 26] as [UInt8] {
      var session = AgentSession()
      #expect(kind(message(number, [1]), in: &session) == .forward)
      _ = kind(try HostFixture.bind("ed25519", isForwarding: true), in: &session)
      #expect(kind(message(number, [1]), in: &session) == .answer(5), "\(number)")
    }
  }

  @Test("X8: the enclave's keys are never removed, and other keys are the other agent's")
  func foreignKeys() throws {
    let other = try #require(HostFixture.all["nistp256"]).key
    var session = AgentSession()
    #expect(kind(message(18, Self.blob), in: &session) == .answer(5))
    #expect(kind(message(18, other), in: &session) == .forward)
    #expect(kind(sign([1], other), in: &session) == .forward)
    #expect(kind(sign([1]), in: &session) == .sign)
    #expect(kind([11], in: &session) == .list)
  }

  @Test("X8: a certificate for a key of the enclave is signed for by that key")
  func certificate() {
    let rest = Self.blob[(4 + "ecdsa-sha2-nistp256".utf8.count)...]
    let certificate =
      message(
        0, Array("ecdsa-sha2-nistp256-cert-v01@openssh.com".utf8), [UInt8](repeating: 1, count: 32)
      ).dropFirst() + rest + [0, 0, 0, 0]
    var session = AgentSession()
    #expect(kind(sign([1], Array(certificate)), in: &session) == .sign)
    let data = login(session: [1], key: Array(certificate))
    #expect(SignedData(data, signedBy: Self.point).purpose == "login")
  }

  @Test("X8: what is signed is told apart by its form, and what only resembles one is not it")
  func forms() throws {
    func purpose(_ data: [UInt8]) -> SignedData { SignedData(data, signedBy: Self.point) }
    let signed = Array("SSHSIG".utf8) + message(0, Array("git".utf8), [], [1], [2]).dropFirst()
    #expect(purpose(signed) == .file(namespace: "git"))
    #expect(purpose(signed + [0]) == .other)
    #expect(purpose([]) == .other)
    let other = try #require(HostFixture.all["nistp256"]).key
    #expect(purpose(login(session: [1], key: other)) == .brokenLogin)
    #expect(purpose(login(session: [1]) + [0]) == .brokenLogin)
    let type = Array("ssh-ed25519-cert-v01@openssh.com".utf8)
    #expect(purpose(Array(message(0, type).dropFirst())) == .certificate)
  }

  @Test("X8: unknown messages and the first version's fail; queries name the extension")
  func unknown() {
    var session = AgentSession()
    for number in Array(0...10) + [12, 14, 15, 16, 24, 28, 29, 30, 255] as [UInt8] {
      #expect(kind([number], in: &session) == .answer(5), "\(number)")
    }
    #expect(kind(message(27, Array("query".utf8)), in: &session) == .answer(29))
    #expect(kind(message(27, Array("other".utf8)), in: &session) == .forward)
    for broken in [[13], [18], [27], [13, 0, 0, 0, 1]] as [[UInt8]] {
      #expect([.answer(5), .forward].contains(kind(broken, in: &session)))
    }
  }

  @Test("X8: twenty thousand messages made of parts of real ones leave every rule in force")
  func rehearsal() throws {
    var generator = RandomNumbers(seed: 0x9E37_79B9_7F4A_7C15)
    let parts = [
      [11], message(13, Self.blob, login(session: HostFixture.session), flags: 0),
      message(13, Self.blob, login(session: [7]), flags: 0), message(18, Self.blob),
      message(17, [1]), message(27, Array("query".utf8)),
      try HostFixture.bind("ed25519", isForwarding: true), try HostFixture.bind("nistp256"),
    ]
    var count = 0
    while count < 20_000 {
      var stream: [UInt8] = []
      for _ in 0..<200 {
        // Binds cost a verification each and come more rarely.
        let isBind = generator.next() % 256 == 0
        let index = isBind ? 6 + Int(generator.next() % 2) : Int(generator.next() % 6)
        var part = parts[index]
        switch generator.next() % 4 {
        case 0:
          part[Int(generator.next() % UInt64(part.count))] = UInt8(
            truncatingIfNeeded: generator.next())
        case 1: part = Array(part.prefix(1 + Int(generator.next() % UInt64(part.count))))
        default: break
        }
        stream += length(part.count) + part
      }
      count += AgentRehearsal.take(stream)
    }
    #expect(count >= 20_000)
  }

  private func length(_ count: Int) -> [UInt8] {
    [
      UInt8(count >> 24 & 255), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255),
      UInt8(count & 255),
    ]
  }
}
