import Cryptography
import Protocol
import Testing

/// A message of "The Galois/Counter Mode of Operation (GCM)" (McGrew, Viega), appendix B, which
/// NIST publishes with SP 800-38D.
struct GCMVector: Sendable, CustomTestStringConvertible {
  let name: String
  let key: String
  let nonce: String
  var associated = ""
  var plaintext = ""
  var ciphertext = ""
  let tag: String
  var testDescription: String { name }

  static let all = [
    GCMVector(
      name: "test case 13", key: String(repeating: "00", count: 32),
      nonce: String(repeating: "00", count: 12), tag: "530f8afbc74536b9a963b4f1c4cb738b"),
    GCMVector(
      name: "test case 14", key: String(repeating: "00", count: 32),
      nonce: String(repeating: "00", count: 12), plaintext: String(repeating: "00", count: 16),
      ciphertext: "cea7403d4d606b6e074ec5d3baf39d18", tag: "d0d1c8a799996bf0265b98b5d48ab919"),
    GCMVector(
      name: "test case 15",
      key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
      nonce: "cafebabefacedbaddecaf888",
      plaintext: """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
        1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255
        """,
      ciphertext: """
        522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
        8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad
        """, tag: "b094dac5d93471bdec1a502270e3cc6c"),
    GCMVector(
      name: "test case 16",
      key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
      nonce: "cafebabefacedbaddecaf888", associated: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
      plaintext: """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
        1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
        """,
      ciphertext: """
        522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
        8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
        """, tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
  ]
}

@Suite("AES-256-GCM")
struct AES256GCMTests {
  private let associated: [UInt8] = Array("item 7".utf8)

  @Test("seals as the published vectors say", arguments: GCMVector.all)
  func sealsVector(_ vector: GCMVector) throws {
    let sealed = try AES256GCM.seal(
      hex(vector.plaintext).span, with: symmetricKey(hex(vector.key)), nonce: hex(vector.nonce),
      authenticating: hex(vector.associated))
    #expect(sealed == hex(vector.nonce) + hex(vector.ciphertext) + hex(vector.tag))
  }

  @Test("opens the published vectors", arguments: GCMVector.all)
  func opensVector(_ vector: GCMVector) throws {
    let opened = try AES256GCM.open(
      hex(vector.nonce) + hex(vector.ciphertext) + hex(vector.tag),
      with: symmetricKey(hex(vector.key)), authenticating: hex(vector.associated))
    #expect(revealed(opened) == hex(vector.plaintext))
  }

  @Test("every flipped bit of nonce, ciphertext or tag is refused")
  func flippedBits() throws {
    let key = try RandomBytes.open(count: SymmetricKey.size)
    let sealed = try AES256GCM.seal(
      hex("c0ffee").span, with: symmetricKey(key), authenticating: associated)
    for bit in 0..<sealed.count * 8 {
      var changed = sealed
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(isRefused(changed, key), "bit \(bit)")
    }
  }

  @Test("sealed bytes that were cut anywhere, or have one byte more, are refused")
  func otherLengths() throws {
    let key = try RandomBytes.open(count: SymmetricKey.size)
    let sealed = try AES256GCM.seal(
      hex("c0ffee").span, with: symmetricKey(key), authenticating: associated)
    for count in 0..<sealed.count { #expect(isRefused(Array(sealed[..<count]), key)) }
    #expect(isRefused(sealed + [0], key))
  }

  @Test("sealed bytes open only for what they were sealed for, and only under their key")
  func otherPurpose() throws {
    let key = try RandomBytes.open(count: SymmetricKey.size)
    let sealed = try AES256GCM.seal(
      hex("c0ffee").span, with: symmetricKey(key), authenticating: associated)
    #expect(!isRefused(sealed, key))
    #expect(isRefused(sealed, key, for: Array("item 8".utf8)))
    #expect(isRefused(sealed, key, for: []))
    #expect(isRefused(sealed, [UInt8](repeating: 0, count: 32)))
  }

  @Test("the same plaintext is sealed differently each time")
  func freshNonces() throws {
    let key = try RandomBytes.open(count: SymmetricKey.size)
    let sealed = try (0..<64).map { _ in
      try AES256GCM.seal(Span(), with: symmetricKey(key), authenticating: [])
    }
    #expect(Set(sealed).count == 64)
  }

  @Test("a megabyte and its associated data come back as they were")
  func long() throws {
    let key = try RandomBytes.open(count: SymmetricKey.size)
    let plaintext = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let sealed = try AES256GCM.seal(
      plaintext.span, with: symmetricKey(key), authenticating: plaintext)
    #expect(sealed.count == plaintext.count + AES256GCM.overhead)
    let opened = try AES256GCM.open(
      sealed, with: symmetricKey(key), authenticating: plaintext)
    #expect(revealed(opened) == plaintext)
  }

  @Test("a nonce or a key of another length is refused by name")
  func otherSizes() throws {
    #expect(throws: CryptographyError.wrongSize(field: "nonce", expected: 12, found: 16)) {
      try AES256GCM.seal(
        Span(), with: SymmetricKey(), nonce: [UInt8](repeating: 0, count: 16),
        authenticating: [])
    }
    #expect(throws: CryptographyError.wrongSize(field: "key", expected: 32, found: 16)) {
      _ = try SymmetricKey(SecretBytes(count: 16))
    }
  }

  private func isRefused(
    _ sealed: [UInt8], _ key: [UInt8], for purpose: [UInt8]? = nil
  ) -> Bool {
    let purpose = purpose ?? associated
    do {
      _ = try AES256GCM.open(
        sealed, with: symmetricKey(key), authenticating: purpose)
      return false
    } catch {
      return error as? CryptographyError == .notAuthentic
    }
  }
}
