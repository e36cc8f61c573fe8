import Protocol
import Testing

@testable import Cryptography

/// What the Secret Service's transport is made of.
@Suite("AES-128-CBC and the second Oakley group")
struct KeyringTransportTests {
  private static let key = hex("2b7e151628aed2a6abf7158809cf4f3c")
  private static let vector = [UInt8](0...15)

  @Test(
    "AES-128-CBC opens the example of SP 800-38A F.2.1, padded, and shorter texts",
    arguments: [
      (
        "7649abac8119b246cee98e9b12e9197d8964e0b149c10b7b682e6e39aaeb731c",
        "6bc1bee22e409f96e93d7e117393172a"
      ),
      ("f327e7290b9b923d29d949db2c9f75cc", "616263"), ("c84af0b613435d5d9182801a9bd9320b", ""),
    ])
  func vectors(sealed: String, plain: String) throws {
    let opened = try AES128CBC.decrypt(
      hex(sealed).span, key: secret(Self.key), vector: Self.vector)
    #expect(revealed(opened) == hex(plain))
  }

  @Test("AES-128-CBC refuses what is no whole number of blocks, and what has no padding")
  func refused() throws {
    let unpadded = hex("7649abac8119b246cee98e9b12e9197d")
    for sealed in [[], [1], unpadded] {
      #expect(throws: CryptographyError.notAuthentic) {
        _ = try AES128CBC.decrypt(sealed.span, key: secret(Self.key), vector: Self.vector)
      }
    }
    for (key, vector) in [([1], Self.vector), (Self.key, [1])] as [([UInt8], [UInt8])] {
      #expect(throws: CryptographyError.self) {
        _ = try AES128CBC.decrypt(unpadded.span, key: secret(key), vector: vector)
      }
    }
  }

  @Test("two sides of the second Oakley group know the same secret")
  func agreement() throws {
    let (one, other) = (try side(), try side())
    #expect(one.publicValue.count == OakleyGroup2.size)
    #expect(one.publicValue != other.publicValue)
    let (first, second) = (
      revealed(try one.sharedSecret(with: other.publicValue)),
      revealed(try other.sharedSecret(with: one.publicValue))
    )
    #expect(first == second && first.count == OakleyGroup2.size)
  }

  @Test("the second Oakley group refuses values that give the secret away")
  func smallValues() throws {
    // RFC 2409 §6.2.
    let prime = hex(
      """
      FFFFFFFF FFFFFFFF C90FDAA2 2168C234 C4C6628B 80DC1CD1 29024E08 8A67CC74 020BBEA6 3B139B22 \
      514A0879 8E3404DD EF9519B3 CD3A431B 302B0A6D F25F1437 4FE1356D 6D51C245 E485B576 625E7EC6 \
      F44C42E9 A637ED6B 0BFF5CB6 F406B7ED EE386BFB 5A899FA5 AE9F2411 7C4B1FE6 49286651 ECE65381 \
      FFFFFFFF FFFFFFFF
      """)
    let side = try side()
    let refused: [[UInt8]] = [
      [], [0], [1], Array(prime.dropLast() + [0xFE]), prime, prime + [0], [1] + prime,
    ]
    for value in refused {
      #expect(throws: CryptographyError.invalidKey) { _ = try side.side.sharedSecret(with: value) }
    }
    _ = try side.sharedSecret(with: Array(prime.dropLast() + [0xFD]))
    _ = try side.sharedSecret(with: [2])
  }

  /// A side that a test may hold on to.
  private final class Side {
    let side: OakleyGroup2
    init(_ side: consuming OakleyGroup2) { self.side = side }
    var publicValue: [UInt8] { side.publicValue }
    func sharedSecret(with other: [UInt8]) throws -> SecretBytes {
      try side.sharedSecret(with: other)
    }
  }

  private func side() throws -> Side { Side(try OakleyGroup2()) }
}
