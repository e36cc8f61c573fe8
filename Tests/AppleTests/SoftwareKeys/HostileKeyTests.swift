import Cryptography
import Protocol
import Security
import Testing

@Suite("Bytes that are no key", .timeLimit(.minutes(60)))
struct HostileKeyTests {
  private func refusesPublic(_ bytes: [UInt8], _ family: SoftwareKeyFamily) -> Bool {
    do throws(CryptographyError) {
      _ = try SoftwarePublicKey(external: bytes.span, of: family)
      return false
    } catch {
      return error == .invalidKey
    }
  }

  private func refusesPrivate(_ bytes: [UInt8], _ family: SoftwareKeyFamily) -> Bool {
    do throws(CryptographyError) {
      _ = try SoftwarePrivateKey(external: bytes.span, of: family)
      return false
    } catch {
      return error == .invalidKey
    }
  }

  private func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    DERWriter.header(tag, count: content.count) + content
  }

  private func integer(_ magnitude: [UInt8]) -> [UInt8] {
    DERWriter.integerHeader(magnitude.span) + magnitude
  }

  private func sequence(_ numbers: [[UInt8]]) -> [UInt8] {
    der(DERReader.sequence, numbers.flatMap { integer($0) })
  }

  /// The numbers of a private key of the vectors, without the version.
  private func numbers(of name: String) throws -> [[UInt8]] {
    let bytes = try Vectors["\(name) private"]
    var outer = DERReader(bytes.indices)
    let content = outer.read(DERReader.sequence, in: bytes.span)
    var reader = DERReader(try #require(content))
    var numbers: [[UInt8]] = []
    while let number = reader.readMagnitude(in: bytes.span) { numbers.append(Array(bytes[number])) }
    return Array(numbers.dropFirst())
  }

  private func privateKey(_ numbers: [[UInt8]], version: [UInt8] = []) -> [UInt8] {
    der(DERReader.sequence, integer(version) + numbers.flatMap { integer($0) })
  }

  @Test("a point that is not on its curve, not reduced, or in another form is refused")
  func points() throws {
    for name in Vectors.curves {
      let good = try Vectors["\(name) other"]
      #expect(!refusesPublic(good, .curve))
      var off = good
      off[good.count - 1] ^= 1
      #expect(refusesPublic(off, .curve))
      for first in UInt8.min...UInt8.max where first != 4 {
        #expect(refusesPublic([first] + good.dropFirst(), .curve))
      }
      #expect(refusesPublic([4] + [UInt8](repeating: 0xFF, count: good.count - 1), .curve))
      #expect(refusesPublic([4] + [UInt8](repeating: 0, count: good.count - 1), .curve))
      #expect(refusesPublic(Array(good.dropLast()), .curve))
      #expect(refusesPublic(good + [0], .curve))
      // A compressed point, which SEC 1 allows but Apple's form does not.
      #expect(refusesPublic([2] + good[1..<1 + (good.count - 1) / 2], .curve))
    }
    #expect(refusesPublic([], .curve) && refusesPublic([0], .curve))
    #expect(refusesPublic([UInt8](repeating: 4, count: 1 << 20), .curve))
  }

  @Test("a scalar of zero, of the order and above, or of another point is refused")
  func scalars() throws {
    let orders = [
      "p256": "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
      "p384":
        "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973",
      "p521":
        "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409",
    ]
    for name in Vectors.curves {
      let good = try Vectors["\(name) private"]
      let size = (good.count - 1) / 3
      let point = Array(good.prefix(1 + 2 * size))
      #expect(!refusesPrivate(good, .curve))
      #expect(refusesPrivate(point + [UInt8](repeating: 0, count: size), .curve))
      #expect(refusesPrivate(point + [UInt8](repeating: 0xFF, count: size), .curve))
      let digits = try #require(orders[name]).compactMap(\.hexDigitValue)
      let order = stride(from: 0, to: digits.count, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
      }
      #expect(refusesPrivate(point + order, .curve))
      let other = try Vectors["\(name) other"] + good.suffix(size)
      #expect(refusesPrivate(other, .curve))
      for count in [0, 1, 2 * size, good.count - 1] {
        #expect(refusesPrivate(Array(good.prefix(count)), .curve))
      }
    }
  }

  @Test("an RSA key whose exponent is even, one or immense encrypts nothing and is refused")
  func exponents() throws {
    let modulus = try numbers(of: "rsa2048")[0]
    #expect(!refusesPublic(sequence([modulus, [3]]), .rsa))
    #expect(!refusesPublic(sequence([modulus, [1, 0, 1]]), .rsa))
    for exponent: [UInt8] in [
      [], [1], [2], [4], [1, 0, 0], [UInt8](repeating: 0xFF, count: 9), modulus,
    ] {
      #expect(refusesPublic(sequence([modulus, exponent]), .rsa), "\(exponent)")
    }
  }

  @Test("an RSA modulus that is even, too short or too long is refused")
  func moduli() throws {
    let modulus = try numbers(of: "rsa1024")[0]
    var even = modulus
    even[modulus.count - 1] &= 0xFE
    let odd: (Int) -> [UInt8] = { [UInt8](repeating: 0xFF, count: $0) }
    for wrong in [even, [], [1], odd(64), odd(127), odd(1025), odd(1 << 20)] {
      #expect(refusesPublic(sequence([wrong, [1, 0, 1]]), .rsa), "\(wrong.count) bytes")
    }
    #expect(!refusesPublic(sequence([odd(1024), [1, 0, 1]]), .rsa))
  }

  @Test("DER that is cut, longer than it says, not as short as can be, or negative is refused")
  func encodings() throws {
    for name in ["rsa1024", "rsa2048"] {
      let (whole, open) = (try Vectors["\(name) private"], try Vectors["\(name) public"])
      for count in stride(from: 0, to: whole.count, by: 7) {
        #expect(refusesPrivate(Array(whole.prefix(count)), .rsa))
      }
      for count in open.indices { #expect(refusesPublic(Array(open.prefix(count)), .rsa)) }
      #expect(refusesPrivate(whole + [0], .rsa) && refusesPublic(open + [0], .rsa))
      #expect(refusesPrivate(open, .rsa) && refusesPublic(whole, .rsa))
    }
    let modulus = try numbers(of: "rsa1024")[0]
    let exponent = integer([1, 0, 1])
    let negative = der(2, modulus)
    let padded = der(2, [0, 0] + modulus)
    for number in [negative, padded, der(3, [0] + modulus), []] {
      #expect(refusesPublic(der(0x30, number + exponent), .rsa))
    }
    #expect(refusesPublic(der(0x30, integer(modulus)), .rsa))
    #expect(refusesPublic(der(0x30, integer(modulus) + exponent + exponent), .rsa))
    // Lengths of 4 GiB and more, and an indefinite one.
    for length: [UInt8] in [
      [0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x88] + [UInt8](repeating: 0xFF, count: 8), [0x80],
      [0x85, 0, 0, 0, 0, 1], [0xFF],
    ] {
      #expect(refusesPublic([0x30] + length, .rsa))
      #expect(refusesPublic([0x30, 9, 2] + length + [1, 2, 3], .rsa))
    }
  }

  @Test("an RSA private key whose numbers do not belong together is refused")
  func mismatches() throws {
    let good = try numbers(of: "rsa1024")
    #expect(good.count == 8)
    #expect(!refusesPrivate(privateKey(good), .rsa))
    #expect(refusesPrivate(privateKey(good, version: [1]), .rsa))
    for index in good.indices {
      var wrong = good
      wrong[index][wrong[index].count / 2] ^= 1
      #expect(refusesPrivate(privateKey(wrong), .rsa), "number \(index)")
    }
    for index in good.indices {
      for number: [UInt8] in [[], [UInt8](repeating: 0xFF, count: 2000)] {
        var wrong = good
        wrong[index] = number
        #expect(refusesPrivate(privateKey(wrong), .rsa), "number \(index)")
      }
    }
    let ones = [good[0], good[1], good[2], [1], good[0], [1], [1], [1]]
    #expect(refusesPrivate(privateKey(ones), .rsa))
  }

  @Test("random bytes are not keys and do not crash")
  func random() throws {
    for count in [0, 1, 31, 65, 97, 133, 145, 199, 270, 1200, 5000] {
      for _ in 0..<20 {
        var bytes = try RandomBytes.open(count: count)
        if let first = bytes.indices.first { bytes[first] = Bool.random() ? 0x30 : 4 }
        #expect(refusesPublic(bytes, .curve) && refusesPrivate(bytes, .curve))
        #expect(refusesPublic(bytes, .rsa) && refusesPrivate(bytes, .rsa))
      }
    }
  }

  @Test("a digest of another length than its function's is not signed, nor is an empty one")
  func digests() throws {
    for name in ["p256", "rsa1024"] {
      let key = try Vectors.privateKey(name)
      for hash in HashFunction.allCases {
        let schemes: [SignatureScheme] = [
          .ecdsa(.x962, .digest(hash)), .rsaPKCS1(.digest(hash)), .rsaPSS(.digest(hash)),
        ]
        for scheme in schemes where key.kind.supports(scheme) {
          for count in [0, 1, hash.size - 1, hash.size + 1, 1 << 16] {
            let digest = [UInt8](repeating: 1, count: count)
            #expect(
              throws: CryptographyError.wrongSize(
                field: "digest", expected: hash.size, found: count)
            ) { _ = try key.signed(digest, scheme) }
          }
        }
      }
    }
    let curve = try Vectors.privateKey("p256")
    #expect(throws: CryptographyError.wrongSize(field: "digest", expected: 1, found: 0)) {
      _ = try curve.signed([], .ecdsa(.x962, .digest(nil)))
    }
    let rsa = try Vectors.privateKey("rsa1024")
    let long = [UInt8](repeating: 1, count: 118)
    #expect(throws: CryptographyError.invalidParameter(field: "input")) {
      _ = try rsa.signed(long, .rsaPKCS1(.digest(nil)))
    }
  }
}
