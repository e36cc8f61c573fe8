import Protocol
import Testing

@testable import Cryptography

@Suite("ECIES", .timeLimit(.minutes(60)))
struct ECIESTests {
  private func opened(
    _ sealed: [UInt8], with key: borrowing P256PrivateKey
  ) throws(CryptographyError) -> [UInt8] {
    revealed(try ECIES.open(sealed.span, with: key))
  }

  @Test(
    "what is encrypted for a key it decrypts, of any length", arguments: [0, 1, 15, 16, 17, 4096])
  func roundTrip(count: Int) throws {
    let key = try P256PrivateKey()
    let text = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let sealed = try ECIES.seal(text.span, to: key.publicKey)
    #expect(sealed.count == count + 81)
    #expect(sealed[0] == 4)
    #expect(try opened(sealed, with: key) == text)
    let again = try ECIES.seal(text.span, to: key.publicKey)
    #expect(again[..<65] != sealed[..<65])
  }

  // Computed with Python: its integers for the curve, hashlib for the derivation, and AESGCM of
  // `cryptography` (docs/examples/authcore_ecies.py).
  @Test("a message with a known ephemeral key is what Apple's algorithm gives")
  func vector() throws {
    let scalar = hex("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")
    let key = try P256PrivateKey(scalar: secret(scalar))
    let ephemeral = try P256PrivateKey(
      scalar: secret(hex("7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534")))
    let text = Array("The enclave says hello.".utf8)
    let sealed = try ECIES.seal(text.span, to: key.publicKey, ephemeral: ephemeral)
    #expect(sealed == hex(Self.sealedVector))
    #expect(try opened(hex(Self.sealedVector), with: key) == text)
  }

  private static let sealedVector = """
    04ead218590119e8876b29146ff89ca61770c4edbbf97d38ce385ed281d8a6b230
    28af61281fd35e2fa7002523acc85a429cb06ee6648325389f59edfce1405141
    9722fbd26ab08019c155ade851f747636c09c8beddc2c83630ad21fd3e9a2b99e4c1d6e729ed4a
    """

  @Test("every flipped bit, every cut and every addition is refused")
  func changed() throws {
    let key = try P256PrivateKey()
    let sealed = try ECIES.seal(Array("secret".utf8).span, to: key.publicKey)
    for bit in 0..<sealed.count * 8 {
      var changed = sealed
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: CryptographyError.notAuthentic, "bit \(bit)") {
        _ = try opened(changed, with: key)
      }
    }
    for count in sealed.indices {
      #expect(throws: CryptographyError.notAuthentic, "\(count) bytes") {
        _ = try opened(Array(sealed[..<count]), with: key)
      }
    }
    #expect(throws: CryptographyError.notAuthentic) { _ = try opened(sealed + [0], with: key) }
  }

  @Test("an empty message is authenticated too")
  func emptyMessage() throws {
    let key = try P256PrivateKey()
    let sealed = try ECIES.seal([UInt8]().span, to: key.publicKey)
    #expect(try opened(sealed, with: key) == [])
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 0x10
      #expect(throws: CryptographyError.notAuthentic) { _ = try opened(changed, with: key) }
    }
  }

  @Test("another key, or the mirrored ephemeral point, does not decrypt")
  func otherKey() throws {
    let key = try P256PrivateKey()
    let sealed = try ECIES.seal(Array("secret".utf8).span, to: key.publicKey)
    let other = try P256PrivateKey()
    #expect(throws: CryptographyError.notAuthentic) { _ = try opened(sealed, with: other) }
    // −P has the x of P, and so the same shared x: only the point in the derivation tells them
    // apart.
    let mirrored = try ECIES.seal(
      Array("secret".utf8).span, to: key.publicKey,
      ephemeral: P256PrivateKey(
        scalar: secret(hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550"))))
    let generator = hex(
      """
      04 6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296
      4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5
      """)
    #expect(mirrored[1..<33] == generator[1..<33])
    #expect(throws: CryptographyError.notAuthentic) {
      _ = try opened(generator + mirrored[65...], with: key)
    }
  }

  @Test("X9.63 gives SHA-256 of secret, counter and shared info, one hash after the other")
  func derivation() throws {
    let shared = secret([1, 2, 3])
    let info: [UInt8] = [9, 9]
    let derived = try X963.deriveKey(from: shared, sharedInfo: info, count: 40)
    let first = try SHA2.sha256(([1, 2, 3, 0, 0, 0, 1, 9, 9] as [UInt8]).span)
    let second = try SHA2.sha256(([1, 2, 3, 0, 0, 0, 2, 9, 9] as [UInt8]).span)
    #expect(revealed(derived) == first + second[..<8])
  }
}
