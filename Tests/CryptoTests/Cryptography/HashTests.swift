import Cryptography
import Protocol
import Testing

@Suite("SHA-2 and HMAC")
struct HashTests {
  private let twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"

  private func hash(
    _ function: (Span<UInt8>) throws(CryptographyError) -> [UInt8], _ message: String.UTF8View
  ) throws -> [UInt8] {
    try function(Array(message).span)
  }

  @Test("SHA-256 gives the examples of FIPS 180-4")
  func sha256() throws {
    #expect(
      try hash(SHA2.sha256, "abc".utf8)
        == hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
    #expect(
      try hash(SHA2.sha256, "".utf8)
        == hex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
    #expect(
      try hash(SHA2.sha256, twoBlocks.utf8)
        == hex("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"))
  }

  @Test("SHA-384 and SHA-512 give the examples of FIPS 180-4")
  func longerHashes() throws {
    #expect(
      try hash(SHA2.sha384, "abc".utf8)
        == hex(
          """
          cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed
          8086072ba1e7cc2358baeca134c825a7
          """))
    #expect(
      try hash(SHA2.sha512, "abc".utf8)
        == hex(
          """
          ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
          2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
          """))
  }

  @Test(
    "HMAC-SHA-256 gives the test cases of RFC 4231",
    arguments: [
      (
        [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
      ),
      (
        [UInt8](repeating: 0xaa, count: 131),
        Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ])
  func hmac(key: [UInt8], message: [UInt8], code: String) throws {
    let made = try HMACSHA256.code(for: message.span, with: secret(key))
    #expect(made == hex(code))
    let isValid = try HMACSHA256.isValid(made.span, for: message.span, with: secret(key))
    #expect(isValid)
  }

  @Test("a code with a flipped bit or of another length is not valid")
  func wrongCode() throws {
    let code = try HMACSHA256.code(for: [4].span, with: secret([1, 2, 3]))
    func isValid(_ code: [UInt8]) throws -> Bool {
      try HMACSHA256.isValid(code.span, for: [4].span, with: secret([1, 2, 3]))
    }
    #expect(try isValid(code))
    for bit in 0..<256 {
      var changed = code
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(try !isValid(changed))
    }
    #expect(try !isValid(Array(code[..<31])))
    #expect(try !isValid([]))
  }
}

/// Bytes from the hexadecimal digits of a published vector; spaces are left out.
func hex(_ digits: String) -> [UInt8] {
  let values = digits.compactMap(\.hexDigitValue)
  return stride(from: 0, to: values.count - 1, by: 2).map {
    UInt8(values[$0] << 4 | values[$0 + 1])
  }
}

func secret(_ bytes: [UInt8]) -> SecretBytes { SecretBytes(copying: bytes.span) }

func symmetricKey(_ bytes: [UInt8]) throws -> SymmetricKey { try SymmetricKey(secret(bytes)) }

/// The bytes of a secret.
func revealed(_ secret: borrowing SecretBytes) -> [UInt8] {
  secret.bytes.indices.map { secret.bytes[$0] }
}
