import Cryptography
import Protocol
import Testing

@Suite("Key derivation")
struct DerivationTests {
  @Test("HKDF gives test case 1 of RFC 5869")
  func hkdfBasic() throws {
    let derived = try HKDFSHA256.deriveKey(
      from: [UInt8](repeating: 0x0b, count: 22).span, salt: hex("000102030405060708090a0b0c"),
      purpose: hex("f0f1f2f3f4f5f6f7f8f9"), count: 42)
    #expect(
      revealed(derived)
        == hex(
          """
          3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf
          34007208d5b887185865
          """))
  }

  @Test("HKDF gives test case 2 of RFC 5869, with longer inputs")
  func hkdfLong() throws {
    let derived = try HKDFSHA256.deriveKey(
      from: Array(0x00...0x4f).span, salt: Array(0x60...0xaf),
      purpose: Array(0xb0...0xff), count: 82)
    #expect(
      revealed(derived)
        == hex(
          """
          b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c
          59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71
          cc30c58179ec3e87c14c01d5c1f3434f1d87
          """))
  }

  @Test("HKDF gives test case 3 of RFC 5869, with neither salt nor purpose")
  func hkdfBare() throws {
    let derived = try HKDFSHA256.deriveKey(
      from: [UInt8](repeating: 0x0b, count: 22).span, salt: [], purpose: [], count: 42)
    #expect(
      revealed(derived)
        == hex(
          """
          8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d
          9d201395faa4b61a96c8
          """))
  }

  @Test("HKDF refuses an empty key, a long purpose and impossible lengths by name")
  func hkdfLimits() {
    let key: [UInt8] = [1]
    #expect(throws: CryptographyError.invalidParameter(field: "input key")) {
      _ = try HKDFSHA256.deriveKey(from: Span(), salt: [], purpose: [], count: 32)
    }
    #expect(throws: CryptographyError.invalidParameter(field: "purpose")) {
      _ = try HKDFSHA256.deriveKey(
        from: key.span, salt: [], purpose: [UInt8](repeating: 0, count: 1025), count: 32)
    }
    for count in [-1, 0, 8161] {
      #expect(throws: CryptographyError.invalidParameter(field: "count")) {
        _ = try HKDFSHA256.deriveKey(from: key.span, salt: [], purpose: [], count: count)
      }
    }
  }

  @Test("keys derived for two purposes differ, and one purpose gives one key")
  func purposes() throws {
    let root = try SymmetricKey()
    let first = revealed(try root.derivedKey(for: "first").bytes)
    let again = revealed(try root.derivedKey(for: "first").bytes)
    let second = revealed(try root.derivedKey(for: "second").bytes)
    #expect(first == again)
    #expect(first != second)
    #expect(first != revealed(root.bytes))
  }

  @Test(
    "scrypt gives the test vectors of RFC 7914",
    arguments: [
      (
        "", "", UInt64(16), UInt32(1), UInt32(1),
        """
        77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442
        fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
        """
      ),
      (
        "password", "NaCl", UInt64(1024), UInt32(8), UInt32(16),
        """
        fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162
        2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
        """
      ),
      (
        "pleaseletmein", "SodiumChloride", UInt64(16384), UInt32(8), UInt32(1),
        """
        7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2
        d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
        """
      ),
    ])
  func scrypt(
    passcode: String, salt: String, cost: UInt64, blockSize: UInt32, parallelism: UInt32,
    expected: String
  ) throws {
    let scrypt = try #require(
      Scrypt(cost: cost, blockSize: blockSize, parallelism: parallelism))
    let derived = try scrypt.deriveKey(
      from: Array(passcode.utf8).span, salt: Array(salt.utf8), count: 64)
    #expect(revealed(derived) == hex(expected))
  }

  @Test("scrypt works with the 64 MiB of a cost of 2¹⁶")
  func largeScrypt() throws {
    let scrypt = try #require(Scrypt(cost: 1 << 16, blockSize: 8, parallelism: 1))
    let derived = try scrypt.deriveKey(from: [1].span, salt: [2], count: 32)
    #expect(revealed(derived) != [UInt8](repeating: 0, count: 32))
  }

  @Test(
    "scrypt parameters out of range are no parameters",
    arguments: [
      [0, 8, 1], [1, 8, 1], [3, 8, 1], [2_097_152, 1, 1], [32_768, 0, 1], [32_768, 33, 1],
      [32_768, 8, 0], [32_768, 8, 17], [1_048_576, 16, 1],
    ] as [[UInt32]])
  func scryptRange(values: [UInt32]) {
    #expect(
      Scrypt(cost: UInt64(values[0]), blockSize: values[1], parallelism: values[2]) == nil)
  }
}
