import Protocol
import Testing

@testable import Cryptography

@Suite("Keys and stanzas of age", .timeLimit(.minutes(60)))
struct AgeKeyTests {
  // Made with Python: HMAC of hashlib, curve and cipher of `cryptography`. The same code opens what
  // pyrage 1.4.0, the library of rage, wraps for this recipient.
  private static let scalar = "665d0698dbc8fb95afc25c3a4d9cf280d87a585b7999243ca6008fd03258975f"
  private static let ephemeral = "8341425cafede9d24b0599aefdfdeff1c1526ed75b07217eb99bf8c0b7498b81"
  private static let recipient =
    "age1tag1qw07amdfq0vr6q0cskw4cyt36uhlnnjl7gsmfq9yvp5djl3agr0fuh25fhy"
  private static let pluginRecipient =
    "age1authcore1qw07amdfq0vr6q0cskw4cyt36uhlnnjl7gsmfq9yvp5djl3agr0fuyvkfn6"
  private static let identity = "AGE-PLUGIN-AUTHCORE-1Q8P9NHYP7NSKWWMZA9TYL9PLPDLQ4LCQYZ"
  private static let words = [
    "c3og7g",
    "BJp4HKbQVafzDQyf+Hk2xzn2gW719ecrS5RkBLChqDsqwZ+EKUXqK/ZaoWSbKwL/eYVMjV7PzUA4YuipfqZsccE",
  ]
  private static let body = "uCex2nyzjpmrD+6q2Yrnb/DUFcdgE5epFHgpwx1YtS4"
  private static let fileKey = (0..<16).map { UInt8($0) }

  private func key() throws -> P256PrivateKey {
    try P256PrivateKey(scalar: secret(hex(Self.scalar)))
  }

  private func decoded(_ text: String) throws -> [UInt8] {
    try #require(unpadded(Array(text.utf8)))
  }

  private func unpadded(_ digits: [UInt8]) -> [UInt8]? {
    Base64.decoded(unpadded: digits.span)?.copied
  }

  private func opened(_ stanza: TaggedStanza) throws -> [UInt8] {
    let key = try key()
    let shared = try key.sharedSecret(with: stanza.encapsulated)
    return revealed(try stanza.open(sharedSecret: shared, by: key.publicKey))
  }

  @Test("X8: a key has the recipient and the identity that the specification gives it")
  func names() throws {
    let point = try key().publicKey
    #expect(AgeRecipient(point).text == Self.recipient)
    for text in [Self.recipient, Self.recipient.uppercased(), Self.pluginRecipient] {
      #expect(try AgeRecipient(text).key == point)
    }
    #expect(try AgeIdentity(of: point).text == Self.identity)
    #expect(AgeIdentity(Self.identity) == (try AgeIdentity(of: point)))
    #expect(try P256PublicKey(compressed: point.compressed) == point)
  }

  @Test("X8: a file key is wrapped as by other programs, and opens again")
  func vector() throws {
    let stanza = try TaggedStanza(
      wrapping: secret(Self.fileKey), to: AgeRecipient(Self.recipient),
      ephemeral: P256PrivateKey(scalar: secret(hex(Self.ephemeral))))
    #expect(stanza.words == Self.words)
    #expect(stanza.body == (try decoded(Self.body)))
    #expect(try stanza == TaggedStanza(Self.words, body: decoded(Self.body)))
    #expect(try opened(stanza) == Self.fileKey)
    let (own, other) = (try key().publicKey, try P256PrivateKey().publicKey)
    #expect(try stanza.isFor(AgeIdentity(of: own)))
    #expect(try !stanza.isFor(AgeIdentity(of: other)))
    let again = try TaggedStanza(wrapping: secret(Self.fileKey), to: AgeRecipient(Self.recipient))
    #expect(again.words != Self.words)
    #expect(try opened(again) == Self.fileKey)
  }

  @Test("X8: every flipped bit of a wrapped file key is refused")
  func changed() throws {
    let body = try decoded(Self.body)
    for bit in 0..<body.count * 8 {
      var changed = body
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      let stanza = try TaggedStanza(Self.words, body: changed)
      #expect(throws: CryptographyError.notAuthentic, "bit \(bit)") { _ = try opened(stanza) }
    }
  }

  @Test("X8: a stanza of another form is refused")
  func malformed() throws {
    let body = try decoded(Self.body)
    let (tag, point) = (Self.words[0], Self.words[1])
    // The second tag has bits that belong to no byte; the last point is not on the curve.
    let wrong: [[String]] = [
      [], [tag], [point, tag], [tag, point, ""], ["", point], ["c3og7h", point],
      [tag + "==", point],
      ["c3og", point], [tag, String(point.dropLast())], [tag, point + "A"],
      [tag, "B" + "A" + point],
      [tag, "BA" + String(repeating: "A", count: point.count - 2)], [tag, "ü"],
    ]
    for words in wrong {
      #expect(throws: CryptographyError.self, "\(words)") {
        _ = try TaggedStanza(words, body: body)
      }
    }
    for body in [[], Array(body.dropLast()), body + [0]] {
      #expect(throws: CryptographyError.self) { _ = try TaggedStanza(Self.words, body: body) }
    }
  }

  @Test(
    "X8: what is not a recipient or an identity of ours is refused",
    arguments: [
      "", "1", "age1tag", "age1tag1", recipient.dropLast() + "q", recipient + "q",
      "Age1tag" + recipient.dropFirst(7), pluginRecipient.replacing("authcore", with: "yubikey"),
      Bech32.encoded([UInt8](repeating: 2, count: 33), prefix: "age1tag1"),
      Bech32.encoded([4] + [UInt8](repeating: 1, count: 32), prefix: "age1tag"),
      Bech32.encoded([2] + [UInt8](repeating: 255, count: 32), prefix: "age1tag"),
      Bech32.encoded([2] + [UInt8](repeating: 1, count: 31), prefix: "age1tag"),
      Bech32.encoded([UInt8](repeating: 2, count: 17), prefix: "age-plugin-authcore-"),
      Bech32.encoded([1] + [UInt8](repeating: 2, count: 15), prefix: "age-plugin-authcore-"),
      Bech32.encoded([1] + [UInt8](repeating: 2, count: 16), prefix: "age-plugin-yubikey-"),
      String(repeating: "q", count: 10_000), "age1täg1qqqqqq",
    ])
  func foreign(text: String) {
    #expect(throws: CryptographyError.invalidKey) { _ = try AgeRecipient(text) }
    #expect(AgeIdentity(text) == nil)
  }

  @Test("X8: Bech32 reads the examples of BIP 173 and refuses what it calls invalid")
  func bech32() throws {
    for text in [
      "A12UEL5L", "a12uel5l", "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw",
      "11qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqc8247j",
      "split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w", "?1ezyfcl",
    ] {
      let (prefix, bytes) = try #require(Bech32.decoded(text), "\(text)")
      #expect(Bech32.encoded(bytes, prefix: prefix) == text.lowercased())
    }
    for text in [
      "\u{20}1nwldj5", "\u{7F}1axkwrx", "pzry9x0s0muk", "1pzry9x0s0muk", "x1b4n0q5v", "li1dgmt3",
      "A1G7SGD8", "10a06t8", "1qzzfhee", "a12uel5m", "A12uEL5L",
    ] {
      #expect(Bech32.decoded(text) == nil, "\(text)")
    }
    for count in 0...70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
      let read = Bech32.decoded(Bech32.encoded(bytes, prefix: "x"))
      #expect(read?.bytes == bytes)
    }
  }

  @Test("X8: base64 without padding has one text for each sequence of bytes")
  func base64() throws {
    for count in 0...66 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
      let encoded = Base64.encoded(unpadded: bytes.span)
      let text = encoded.copied
      #expect(text.count == (count * 4 + 2) / 3 && !text.contains(UInt8(ascii: "=")))
      #expect(unpadded(text) == bytes)
    }
    for text in ["A", "AAAAA", "AB", "AAB", "AA==", "A A", "AA\n", "\u{0}AAA"] {
      #expect(unpadded(Array(text.utf8)) == nil, "\(text)")
    }
  }
}
