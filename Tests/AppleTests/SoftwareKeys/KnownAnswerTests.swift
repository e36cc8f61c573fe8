import Cryptography
import Foundation
import Protocol
import Security
import Testing

@Suite("Answers that another library gave", .timeLimit(.minutes(60)))
struct KnownAnswerTests {
  @Test("signatures of another library fit its message and no other", arguments: Vectors.curves)
  func ecdsa(name: String) throws {
    let key = try Vectors.privateKey(name).publicKey
    let message = try Vectors["message"]
    for hash in HashFunction.allCases {
      for (form, label) in [(ECDSAForm.x962, "x962"), (.rfc4754, "rfc4754")] {
        let signature = try Vectors["\(name) \(label) \(hash)"]
        let scheme = SignatureScheme.ecdsa(form, .message(hash))
        #expect(try key.verifies(signature, over: message, scheme))
        let longer = message + [0]
        #expect(try !key.verifies(signature, over: longer, scheme))
        let digest = try hash.hash(message.span)
        for named in [hash, nil] {
          #expect(
            try key.verifies(
              signature, over: digest, .ecdsa(form, .digest(named))))
        }
      }
    }
  }

  @Test("secrets shared with another library's key are the same", arguments: Vectors.curves)
  func agreement(name: String) throws {
    let key = try Vectors.privateKey(name)
    let other = try publicKey(Vectors["\(name) other"], .curve)
    let shared = try key.shared(with: other)
    #expect(try shared == Vectors["\(name) shared"])
    for hash in HashFunction.allCases {
      let derived = try AgreementScheme.x963(hash).derived(
        from: shared, count: 77, sharedInfo: Array("both know".utf8))
      #expect(try derived == Vectors["\(name) x963 \(hash)"])
    }
  }

  @Test("messages in Apple's forms of ECIES are decrypted", arguments: Vectors.curves)
  func ecies(name: String) throws {
    let key = try Vectors.privateKey(name)
    let message = try Vectors["message"]
    for hash in HashFunction.allCases {
      for (derivesNonce, form) in [(false, "zero"), (true, "derived")] {
        let scheme = EncryptionScheme.ecies(hash, derivesNonce: derivesNonce)
        let sealed = try Vectors["\(name) ecies \(form) \(hash)"]
        #expect(try (key.opened(sealed, scheme)) == message)
        let bound = try Vectors["\(name) ecies-info \(form) \(hash)"]
        let info = Array("both know".utf8)
        #expect(try (key.opened(bound, scheme, sharedInfo: info)) == message)
        #expect(throws: CryptographyError.notAuthentic) {
          _ = try key.opened(bound, scheme)
        }
      }
    }
  }

  @Test("RSA signatures of another library fit", arguments: Vectors.rsaKeys)
  func rsaSignatures(name: String) throws {
    let key = try Vectors.privateKey(name)
    let message = try Vectors["message"]
    let raw = try Vectors["\(name) raw"]
    #expect(try key.signed(message, .rsaRaw) == raw)
    #expect(try key.publicKey.verifies(raw, over: message, .rsaRaw))
    #expect(
      try key.signed(message, .rsaPKCS1(.digest(nil))) == Vectors["\(name) pkcs1 none"])
    for hash in HashFunction.allCases {
      let pkcs1 = try Vectors["\(name) pkcs1 \(hash)"]
      #expect(try key.signed(message, .rsaPKCS1(.message(hash))) == pkcs1)
      let digest = try hash.hash(message.span)
      #expect(
        try key.publicKey.verifies(pkcs1, over: digest, .rsaPKCS1(.digest(hash))))
      #expect(
        key.kind.supports(.rsaPSS(.digest(hash))) == Vectors.has("\(name) pss \(hash)"))
      if Vectors.has("\(name) pss \(hash)") {
        let pss = try Vectors["\(name) pss \(hash)"]
        #expect(try key.publicKey.verifies(pss, over: message, .rsaPSS(.message(hash))))
        #expect(try !key.publicKey.verifies(pss, over: raw, .rsaPSS(.message(hash))))
      }
    }
  }

  @Test("messages of another library for an RSA key are decrypted", arguments: Vectors.rsaKeys)
  func rsaEncryption(name: String) throws {
    let key = try Vectors.privateKey(name)
    let message = try Vectors["message"]
    let padded = [UInt8](repeating: 0, count: key.kind.blockSize - message.count) + message
    #expect(try (key.opened(Vectors["\(name) raw-sealed"], .rsaRaw)) == padded)
    #expect(try (key.opened(Vectors["\(name) pkcs1-sealed"], .rsaPKCS1)) == message)
    for hash in HashFunction.allCases where Vectors.has("\(name) oaep \(hash)") {
      let (plain, hybrid) = (
        EncryptionScheme.rsaOAEP(hash), EncryptionScheme.rsaOAEPWithAESGCM(hash)
      )
      let sealed = try Vectors["\(name) oaep \(hash)"]
      #expect(try (key.opened(sealed, plain)) == message)
      let long = try key.opened(Vectors["\(name) oaep-gcm \(hash)"], hybrid)
      #expect(long == (0..<20).flatMap { _ in message })
    }
  }

  @Test("keys are written as they were read", arguments: Vectors.names)
  func forms(name: String) throws {
    let key = try Vectors.privateKey(name)
    #expect(try key.written() == Vectors["\(name) private"])
    let again = try SoftwarePublicKey(
      external: key.publicKey.external.span, of: Vectors.family(name))
    #expect(again == key.publicKey)
    if Vectors.family(name) == .rsa {
      #expect(try key.publicKey.external == Vectors["\(name) public"])
      let info = try publicKey(Vectors["\(name) info"], .rsa)
      #expect(info == key.publicKey)
    }
  }
}

/// The output of `Fixtures/make-vectors` by python's `cryptography`: bytes by name.
enum Vectors {
  private static let all: [String: [UInt8]] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try? String(
      contentsOf: folder.appending(path: "Fixtures/vectors.txt"), encoding: .utf8)
    let pairs = (text ?? "").split(separator: "\n").compactMap { line in
      line.lastIndex(of: " ").map { space in
        (String(line[..<space]), bytes(line[line.index(after: space)...]))
      }
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }()

  private static func bytes(_ digits: Substring) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count - 1, by: 2).map {
      UInt8(values[$0] << 4 | values[$0 + 1])
    }
  }

  /// The bytes of a name; the test fails if there are none.
  static subscript(_ name: String) -> [UInt8] {
    get throws { try #require(all[name], "Fixtures/vectors.txt has no \(name)") }
  }

  /// Whether there are bytes of this name: not every key is long enough for every scheme.
  static func has(_ name: String) -> Bool { all[name] != nil }

  static let curves = ["p256", "p384", "p521"]
  static let rsaKeys = ["rsa1024", "rsa2048", "rsa4096"]
  static let names = curves + rsaKeys

  static func privateKey(_ name: String) throws -> SoftwarePrivateKey {
    let bytes = try Vectors["\(name) private"]
    return try SoftwarePrivateKey(external: bytes.span, of: family(name))
  }

  static func family(_ name: String) -> SoftwareKeyFamily {
    name.hasPrefix("rsa") ? .rsa : .curve
  }
}

/// The bytes of a secret, for tests that compare them.
func shown(_ secret: borrowing SecretBytes) -> [UInt8] {
  secret.bytes.indices.map { secret.bytes[$0] }
}

// Operations on arrays: the checks of Swift Testing cannot hold spans and secrets.
extension SoftwarePrivateKey {
  func signed(_ input: [UInt8], _ scheme: SignatureScheme) throws -> [UInt8] {
    try sign(input.span, scheme)
  }

  func opened(
    _ sealed: [UInt8], _ scheme: EncryptionScheme, sharedInfo: [UInt8] = []
  ) throws -> [UInt8] {
    let plaintext = try decrypt(sealed.span, scheme, sharedInfo: sharedInfo)
    return shown(plaintext)
  }

  func shared(with other: SoftwarePublicKey) throws -> [UInt8] {
    let secret = try sharedSecret(with: other)
    return shown(secret)
  }

  func written() throws -> [UInt8] {
    let bytes = try external()
    return shown(bytes)
  }
}

extension SoftwarePublicKey {
  func verifies(
    _ signature: [UInt8], over input: [UInt8], _ scheme: SignatureScheme
  ) throws -> Bool {
    try isValid(signature.span, over: input.span, scheme)
  }

  func sealed(_ plaintext: [UInt8], _ scheme: EncryptionScheme) throws -> [UInt8] {
    try encrypt(plaintext.span, scheme)
  }
}

extension AgreementScheme {
  func derived(from secret: [UInt8], count: Int, sharedInfo: [UInt8]) throws -> [UInt8] {
    let derived = try result(
      from: SecretBytes(copying: secret.span), count: count, sharedInfo: sharedInfo)
    return shown(derived)
  }
}

/// A key from valid bytes.
func publicKey(_ bytes: [UInt8], _ family: SoftwareKeyFamily) throws -> SoftwarePublicKey {
  try SoftwarePublicKey(external: bytes.span, of: family)
}

func privateKey(_ bytes: [UInt8], _ family: SoftwareKeyFamily) throws -> SoftwarePrivateKey {
  try SoftwarePrivateKey(external: bytes.span, of: family)
}

func digest(_ message: [UInt8], _ hash: HashFunction) throws -> [UInt8] {
  try hash.hash(message.span)
}
