import Cryptography
import Protocol
import Testing

/// Points and numbers at the edges of what P-256 has. Computed with Python's integers alone; that
/// (0, √b) lies on the curve can be checked by hand.
@Suite("P-256 at its edges", .timeLimit(.minutes(60)))
struct P256EdgeTests {
  private static let zero = String(repeating: "0", count: 64)
  private static let one = String(repeating: "0", count: 63) + "1"
  /// The y of the point whose x is 0.
  private static let rootOfB = "66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4"
  private static let prime = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
  private static let generator = (
    x: "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
    y: "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
  )
  /// The key of RFC 6979, A.2.5.
  private static let sampleScalar =
    "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"

  private func point(_ x: String, _ y: String) -> [UInt8] { [4] + hex(x) + hex(y) }

  private func key(_ scalar: String) throws -> P256PrivateKey {
    try P256PrivateKey(scalar: secret(hex(scalar)))
  }

  @Test("points whose x is tiny are keys, and a shared secret keeps its leading zeros")
  func smallCoordinates() throws {
    let one = try key(Self.one)
    let others = [
      (Self.zero, Self.rootOfB),
      (
        String(repeating: "0", count: 63) + "5",
        "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc"
      ),
    ]
    for (x, y) in others {
      let other = try P256PublicKey(point: point(x, y))
      #expect(revealed(try one.sharedSecret(with: other)) == hex(x))
    }
    // 54,244 times the public key of RFC 6979.
    let scalar = String(repeating: "0", count: 60) + "d3e4"
    let public6979 = try key(Self.sampleScalar).publicKey
    #expect(
      revealed(try key(scalar).sharedSecret(with: public6979))
        == hex("00001fe0d1f330c5b5779f95966757812a1a450272438c661db76659e208fba5"))
  }

  @Test("public keys whose x or y begins with zeros keep all of their 65 bytes")
  func leadingZeros() throws {
    #expect(
      try key(String(repeating: "0", count: 60) + "9dc9").publicKey.point
        == point(
          "00003f5f178aa0706c4231eb6e5495aa1642c5b8a994127c89465f22994a42f9",
          "c248b337599f0c2f29772e256f1d5549c89ba9e5731382cd1e3cc09d10d00b55"))
    #expect(
      try key(String(repeating: "0", count: 61) + "948").publicKey.point
        == point(
          "6a7e99588cc9fd293065fcefa48cf5d36f2690c18ded0771acc02b12d9d6b107",
          "00002ee7db7065b7a9999459ebe6671cd1762c5b57d39f627fc447a44a11b53f"))
  }

  @Test("coordinates that are not below the prime are refused, though they are a point's modulo it")
  func unreducedCoordinates() {
    let unreduced = [
      // p for 0, and p + 5 for 5.
      point(Self.prime, Self.rootOfB),
      point(
        "ffffffff00000001000000000000000000000001000000000000000000000004",
        "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc"),
      point(Self.generator.x, Self.prime), point(Self.zero, Self.prime),
      point(String(repeating: "f", count: 64), String(repeating: "f", count: 64)),
    ]
    for bytes in unreduced {
      #expect(throws: CryptographyError.invalidKey) { _ = try P256PublicKey(point: bytes) }
    }
  }

  @Test("every other form of a point is refused: hybrid, compressed, infinity, another curve's")
  func otherForms() throws {
    let good = point(Self.generator.x, Self.generator.y)
    _ = try P256PublicKey(point: good)
    for first in UInt8.min...UInt8.max where first != 4 {
      #expect(throws: CryptographyError.invalidKey) {
        _ = try P256PublicKey(point: [first] + good[1...])
      }
    }
    // The generators of secp256k1 and of P-224's twist have no place here.
    let others = [
      point(
        "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
        "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"),
      point(Self.generator.y, Self.generator.x), point(Self.zero, Self.zero),
      point(Self.one, Self.one), Array(good.dropLast()), good + [0], [0], [4],
    ]
    for bytes in others {
      #expect(throws: CryptographyError.invalidKey) { _ = try P256PublicKey(point: bytes) }
    }
  }

  @Test("the order less one is the key of the generator's mirror image, and signs")
  func greatestScalar() throws {
    let greatest = try key("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550")
    #expect(
      greatest.publicKey.point
        == point(
          Self.generator.x, "b01cbd1c01e58065711814b583f061e9d431cca994cea1313449bf97c840ae0a"))
    let message = Array("sample".utf8)
    let signature = try greatest.signature(forDigest: SHA2.sha256(message.span))
    #expect(try greatest.publicKey.isValid(signature, for: message.span))
  }

  @Test("a signature with n − s in place of s is valid, as everywhere but in Bitcoin")
  func highAndLowS() throws {
    let publicKey = try key(Self.sampleScalar).publicKey
    let r = hex("EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716")
    let low = hex("0834e36ad29a83bf2bc9385e491d6099c8fdf9d1ed67aa7ea5f51f93782857a9")
    let mirrored = [0x30, 0x45, 2, 0x21, 0] + r + [2, 0x20] + low
    let message = Array("sample".utf8)
    #expect(try publicKey.isValid(mirrored, for: message.span))
  }

  @Test("only hashes of 32 bytes are signed", arguments: [0, 1, 20, 31, 33, 48, 64])
  func digestSize(count: Int) throws {
    let key = try P256PrivateKey()
    #expect(throws: CryptographyError.wrongSize(field: "digest", expected: 32, found: count)) {
      _ = try key.signature(forDigest: [UInt8](repeating: 7, count: count))
    }
  }

  @Test("a key made of its scalar and its point is the same key")
  func knownPublicKey() throws {
    let first = try key(Self.sampleScalar)
    let again = try P256PrivateKey(
      scalar: first.scalar.duplicate(), publicKey: first.publicKey)
    let message = Array("again".utf8)
    let signature = try again.signature(forDigest: SHA2.sha256(message.span))
    #expect(try first.publicKey.isValid(signature, for: message.span))
    #expect(throws: CryptographyError.wrongSize(field: "scalar", expected: 32, found: 33)) {
      _ = try P256PrivateKey(scalar: SecretBytes(count: 33), publicKey: first.publicKey)
    }
  }

  @Test("SHA-256 in parts of any size is SHA-256")
  func hashInParts() throws {
    let message = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for size in [1, 63, 64, 65, 4096, 100_000] {
      var stream = try SHA256Stream()
      var rest = message[...]
      while !rest.isEmpty {
        let part = Array(rest.prefix(size))
        try stream.update(part.span)
        rest = rest.dropFirst(size)
      }
      let hash = try stream.finish()
      #expect(try hash == SHA2.sha256(message.span))
    }
    var empty = try SHA256Stream()
    let hash = try empty.finish()
    #expect(hash == hex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
  }
}

@Suite("Forms of signatures and public keys", .timeLimit(.minutes(60)))
struct SignatureFormTests {
  /// DER of two numbers as they are given, padded by nothing.
  private func der(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
    let body = [2, UInt8(r.count)] + r + [2, UInt8(s.count)] + s
    return [0x30, UInt8(body.count)] + body
  }

  private func padded(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
  }

  @Test("numbers of every length become 32 bytes each")
  func everyLength() throws {
    for count in 1...32 {
      let low = [UInt8](repeating: 0x7F, count: count)
      let high = [UInt8](repeating: 0x80, count: count)
      let read = try ECDSASignature(der: der(low, [0] + high))
      #expect(read.raw == padded(low) + padded(high))
    }
    #expect(try ECDSASignature(der: der([1], [0])).raw == padded([1]) + padded([0]))
  }

  @Test("what is not the one DER form of two numbers is refused")
  func malformed() throws {
    let high = [UInt8](repeating: 0x80, count: 32)
    let good = der([1], [2])
    var wrong: [[UInt8]] = [
      // Negative, with a zero too many, longer than 32 bytes, empty.
      der(high, [1]), der([0, 1], [1]), der([1], [0, 0x7F]), der([1], [0, 0] + high),
      der([1] + high, [1]), der([], [1]), der([1], []),
      // Trailing bytes, inside and outside; a length in two bytes; an indefinite one.
      good + [0], [0x30, 7] + good[2...] + [0], [0x30, 0x81, 6] + good[2...],
      [0x30, 0x80] + good[2...] + [0, 0], [0x31] + good[1...],
      [0x30, 6, 3, 1, 1, 2, 1, 2], [0x30, 6, 2, 0x81, 1, 1, 2, 1],
    ]
    wrong += good.indices.map { Array(good[..<$0]) }
    for bytes in wrong {
      #expect(throws: CryptographyError.invalidParameter(field: "signature"), "\(bytes)") {
        _ = try ECDSASignature(der: bytes)
      }
    }
  }

  @Test("a signature of libcrypto's is read, whatever numbers it has")
  func manySignatures() throws {
    let key = try P256PrivateKey()
    let digest = [UInt8](repeating: 3, count: 32)
    for _ in 0..<2000 {
      let signature = try key.signature(forDigest: digest)
      let raw = try ECDSASignature(der: signature).raw
      #expect(raw.count == 64)
      let again = der(number(raw[..<32]), number(raw[32...]))
      #expect(again == signature)
    }
  }

  /// The shortest form of a positive number.
  private func number(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let short = Array(bytes.drop { $0 == 0 })
    return (short.first ?? 0x80) >= 0x80 ? [0] + short : short
  }

  @Test("SubjectPublicKeyInfo and OpenSSH's form hold the point of the key")
  func publicForms() throws {
    let key = try P256PrivateKey().publicKey
    let info = key.subjectPublicKeyInfo
    #expect(info.count == 91)
    #expect(Array(info.suffix(65)) == key.point)
    let blob = key.openSSHBlob
    #expect(blob.count == 4 + 19 + 4 + 8 + 4 + 65)
    #expect(Array(blob[..<23]) == [0, 0, 0, 19] + Array("ecdsa-sha2-nistp256".utf8))
    #expect(Array(blob[23..<35]) == [0, 0, 0, 8] + Array("nistp256".utf8))
    #expect(Array(blob[35...]) == [0, 0, 0, 65] + key.point)
  }
}
