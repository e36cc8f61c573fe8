import Cryptography
import Testing

@Suite("Forms of signatures and public keys", .timeLimit(.minutes(15)))
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
