import Cryptography
import Protocol
import Security
import Testing

@Suite("Keys made here", .timeLimit(.minutes(60)))
struct RoundTripTests {
  /// RSA keys take long to make: most tests use those of the vectors.
  private func keys() throws -> [SoftwarePrivateKey] {
    var keys = [try Vectors.privateKey("rsa1024"), try Vectors.privateKey("rsa2048")]
    for curve in EllipticCurve.allCases {
      keys.append(try SoftwarePrivateKey(generating: .curve(curve)))
    }
    return keys
  }

  private var signatureSchemes: [SignatureScheme] {
    var inputs: [SignedInput] = [.digest(nil)]
    for hash in HashFunction.allCases { inputs += [.message(hash), .digest(hash)] }
    var schemes: [SignatureScheme] = [.rsaRaw]
    for input in inputs {
      schemes += [
        .ecdsa(.x962, input), .ecdsa(.rfc4754, input), .rsaPKCS1(input), .rsaPSS(input),
      ]
    }
    return schemes
  }

  private var encryptionSchemes: [EncryptionScheme] {
    var schemes: [EncryptionScheme] = [.rsaRaw, .rsaPKCS1]
    for hash in HashFunction.allCases {
      schemes += [
        .rsaOAEP(hash), .rsaOAEPWithAESGCM(hash), .ecies(hash, derivesNonce: false),
        .ecies(hash, derivesNonce: true),
      ]
    }
    return schemes
  }

  private func input(of scheme: SignatureScheme, for message: [UInt8]) throws -> [UInt8] {
    guard case .digest(let hash) = scheme.input else { return message }
    return try digest(message, hash ?? .sha256)
  }

  @Test("a key that is made is what was asked for, and reads again as the same key")
  func generation() throws {
    for kind in EllipticCurve.allCases.map({ SoftwareKeyKind.curve($0) }) + [.rsa(bits: 1024)] {
      let key = try SoftwarePrivateKey(generating: kind)
      #expect(key.kind == kind)
      #expect(try SoftwarePrivateKey(generating: kind).publicKey != key.publicKey)
      let written = try key.written()
      let again = try privateKey(written, kind.family)
      #expect(again.publicKey == key.publicKey)
      #expect(again.kind == kind)
    }
  }

  @Test("RSA keys of other sizes are not made", arguments: [0, -1, 512, 1023, 1025, 8200, 1 << 40])
  func sizes(bits: Int) {
    #expect(throws: CryptographyError.invalidParameter(field: "size")) {
      _ = try SoftwarePrivateKey(generating: .rsa(bits: bits))
    }
  }

  @Test("the public half verifies only what its key signs, in every scheme")
  func signatures() throws {
    let message = Array("signed".utf8)
    for key in try keys() {
      for scheme in signatureSchemes where key.kind.supports(scheme) {
        let input = try input(of: scheme, for: message)
        let signature = try key.signed(input, scheme)
        #expect(try key.publicKey.verifies(signature, over: input, scheme))
        var changed = signature
        changed[signature.count - 1] ^= 1
        #expect(try !key.publicKey.verifies(changed, over: input, scheme))
        for count in [0, 1, signature.count - 1] {
          let cut = Array(signature.prefix(count))
          #expect(try !key.publicKey.verifies(cut, over: input, scheme))
        }
        let isRaw = scheme == .ecdsa(.rfc4754, scheme.input ?? .digest(nil))
        #expect(!isRaw || signature.count == 2 * key.kind.blockSize)
      }
    }
  }

  @Test("an encrypted message is decrypted only by the same scheme")
  func encryption() throws {
    for key in try keys() {
      for scheme in encryptionSchemes where key.kind.supports(scheme) {
        for count in [0, 1, min(key.kind.longestPlaintext(scheme) ?? 5000, 5000)] {
          // Without padding the plaintext is a number, which is below the modulus.
          let text = [UInt8](repeating: 0x2A, count: count)
          let sealed = try key.publicKey.sealed(text, scheme)
          let opened = try (key.opened(sealed, scheme))
          #expect(opened.suffix(count).elementsEqual(text))
          #expect(scheme == .rsaRaw || opened.count == count)
          guard scheme != .rsaRaw, scheme != .rsaPKCS1 else { continue }
          var changed = sealed
          changed[sealed.count / 2] ^= 1
          #expect(throws: CryptographyError.notAuthentic) {
            _ = try key.opened(changed, scheme)
          }
        }
      }
    }
  }

  @Test("a plaintext that is too long for RSA is refused, whatever the padding")
  func tooLong() throws {
    let key = try Vectors.privateKey("rsa2048")
    for scheme in encryptionSchemes where key.kind.supports(scheme) {
      guard let longest = key.kind.longestPlaintext(scheme) else { continue }
      let text = [UInt8](repeating: 1, count: longest + 1)
      #expect(throws: CryptographyError.invalidParameter(field: "plaintext"), "\(scheme)") {
        _ = try key.publicKey.sealed(text, scheme)
      }
    }
    let above = [UInt8](repeating: 0xFF, count: key.kind.blockSize)
    #expect(throws: CryptographyError.invalidParameter(field: "plaintext")) {
      _ = try key.publicKey.sealed(above, .rsaRaw)
    }
    #expect(throws: CryptographyError.notAuthentic) {
      _ = try key.opened(above, .rsaRaw)
    }
  }

  @Test("both sides of an exchange have the same secret; keys of two curves have none")
  func agreement() throws {
    let keys = try keys()
    for own in keys {
      for other in keys {
        guard own.kind == other.kind, own.kind.family == .curve else {
          #expect(throws: CryptographyError.invalidParameter(field: "public key")) {
            _ = try own.shared(with: other.publicKey)
          }
          continue
        }
        let another = try SoftwarePrivateKey(generating: own.kind)
        let one = try own.shared(with: another.publicKey)
        let two = try another.shared(with: own.publicKey)
        #expect(one == two)
        #expect(one.count == own.kind.blockSize)
      }
    }
    for count in [0, -1, X963.longest + 1] {
      #expect(throws: CryptographyError.invalidParameter(field: "count")) {
        _ = try AgreementScheme.x963(.sha256).result(
          from: SecretBytes(count: 32), count: count, sharedInfo: [])
      }
    }
  }

  @Test("a scheme of the other family is refused, not tried")
  func otherFamily() throws {
    let refused = CryptographyError.invalidParameter(field: "algorithm")
    let bytes: [UInt8] = [1]
    for key in try keys() {
      for scheme in signatureSchemes where !key.kind.supports(scheme) {
        #expect(throws: refused) { _ = try key.signed(bytes, scheme) }
        #expect(throws: refused) {
          _ = try key.publicKey.verifies(bytes, over: bytes, scheme)
        }
      }
      for scheme in encryptionSchemes where !key.kind.supports(scheme) {
        #expect(throws: refused) { _ = try key.publicKey.sealed(bytes, scheme) }
        #expect(throws: refused) { _ = try key.opened(bytes, scheme) }
      }
    }
  }

  @Test("a key signs, decrypts and agrees for many at once")
  func concurrency() async throws {
    let key = try Vectors.privateKey("rsa2048")
    let curve = try Vectors.privateKey("p256")
    let message = Array("at once".utf8)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<64 {
        group.addTask {
          let signature = try key.signed(message, .rsaPSS(.message(.sha256)))
          let sealed = try curve.publicKey.sealed(
            message, .ecies(.sha256, derivesNonce: true))
          let opened = try curve.opened(sealed, .ecies(.sha256, derivesNonce: true))
          let isValid = try key.publicKey.verifies(
            signature, over: message, .rsaPSS(.message(.sha256)))
          return isValid && opened == message
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }
}
