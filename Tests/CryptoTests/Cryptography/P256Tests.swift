import Cryptography
import Protocol
import Testing

@Suite("P-256")
struct P256Tests {
  // RFC 6979, A.2.5.
  private let scalar = hex("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")
  private let point = hex(
    """
    04 60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6
    7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299
    """)
  private let sampleSignature = signature(
    "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
    "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8")
  private let testSignature = signature(
    "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
    "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083")
  private let sample = Array("sample".utf8)
  private let order = hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")

  /// Two numbers as the DER of an ECDSA signature.
  private static func signature(_ r: String, _ s: String) -> [UInt8] {
    func integer(_ digits: String) -> [UInt8] {
      let bytes = Array(hex(digits).drop { $0 == 0 })
      let padded = (bytes.first ?? 0) & 0x80 == 0 ? bytes : [0] + bytes
      return [2, UInt8(padded.count)] + padded
    }
    let body = integer(r) + integer(s)
    return [0x30, UInt8(body.count)] + body
  }

  private func isValid(
    _ signature: [UInt8], under key: P256PublicKey, for message: [UInt8]? = nil
  ) throws -> Bool {
    let message = message ?? sample
    return try key.isValid(signature, for: message.span)
  }

  @Test("the public point is that of RFC 6979, A.2.5")
  func publicPoint() throws {
    let key = try P256PrivateKey(scalar: secret(scalar))
    #expect(key.publicKey.point == point)
  }

  @Test("the signatures of RFC 6979, A.2.5 are valid for their messages and no other")
  func verifiesVectors() throws {
    let key = try P256PublicKey(point: point)
    #expect(try isValid(sampleSignature, under: key))
    #expect(try isValid(testSignature, under: key, for: Array("test".utf8)))
    #expect(try !isValid(testSignature, under: key))
    #expect(try !isValid(sampleSignature, under: key, for: Array("test".utf8)))
  }

  @Test("every flipped bit of a signature makes it invalid")
  func flippedSignature() throws {
    let key = try P256PublicKey(point: point)
    for bit in 0..<sampleSignature.count * 8 {
      var changed = sampleSignature
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(try !isValid(changed, under: key), "bit \(bit)")
    }
  }

  @Test("signatures cut anywhere, empty, of zeros or with the order in them are invalid")
  func brokenSignatures() throws {
    let key = try P256PublicKey(point: point)
    for count in 0..<sampleSignature.count {
      #expect(try !isValid(Array(sampleSignature[..<count]), under: key))
    }
    #expect(try !isValid([0x30, 6, 2, 1, 0, 2, 1, 0], under: key))
    let n = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
    #expect(try !isValid(Self.signature(n, n), under: key))
  }

  @Test("what a new key signs is valid for it and for no other key")
  func signs() throws {
    let key = try P256PrivateKey()
    let signature = try key.signature(forDigest: SHA2.sha256(sample.span))
    let again = try key.signature(forDigest: SHA2.sha256(sample.span))
    #expect(signature.count <= 72)
    #expect(again != signature)
    #expect(try isValid(signature, under: key.publicKey))
    #expect(try !isValid(signature, under: P256PublicKey(point: point)))
  }

  @Test("the shared secret is that of the first P-256 vector of NIST's CAVP for ECC CDH")
  func sharedSecretVector() throws {
    let key = try P256PrivateKey(
      scalar: secret(hex("7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534")))
    let other = try P256PublicKey(
      point: hex(
        """
        04 700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287
        db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac
        """))
    #expect(
      key.publicKey.point
        == hex(
          """
          04 ead218590119e8876b29146ff89ca61770c4edbbf97d38ce385ed281d8a6b230
          28af61281fd35e2fa7002523acc85a429cb06ee6648325389f59edfce1405141
          """))
    let secret = try key.sharedSecret(with: other)
    #expect(
      revealed(secret)
        == hex("46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b"))
  }

  @Test("two keys agree on one secret")
  func agreement() throws {
    let first = try P256PrivateKey()
    let second = try P256PrivateKey()
    let here = revealed(try first.sharedSecret(with: second.publicKey))
    let there = revealed(try second.sharedSecret(with: first.publicKey))
    #expect(here == there)
  }

  @Test("the scalars 0, the order and above are no keys; 1 and the order less one are")
  func scalarRange() throws {
    let zero = [UInt8](repeating: 0, count: 32)
    for bytes in [zero, order, [UInt8](repeating: 0xff, count: 32)] {
      #expect(throws: CryptographyError.invalidKey) {
        _ = try P256PrivateKey(scalar: secret(bytes))
      }
    }
    let greatest = Array(order[..<31]) + [order[31] - 1]
    for bytes in [Array(zero[..<31]) + [1], greatest] {
      let key = try P256PrivateKey(scalar: secret(bytes))
      #expect(revealed(key.scalar) == bytes)
    }
    #expect(throws: CryptographyError.wrongSize(field: "scalar", expected: 32, found: 31)) {
      _ = try P256PrivateKey(scalar: SecretBytes(count: 31))
    }
  }

  @Test("points off the curve, at infinity, compressed or of another length are no keys")
  func invalidPoints() {
    var offCurve = point
    offCurve[64] ^= 1
    let compressed = [2] + point[1..<33]
    for bytes in [
      offCurve, [0], compressed, [], point + [0], [4] + [UInt8](repeating: 0, count: 64),
    ] {
      #expect(throws: CryptographyError.invalidKey) { _ = try P256PublicKey(point: bytes) }
    }
  }
}
