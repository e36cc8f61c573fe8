import Cryptography
import Foundation
import Protocol
import Security
import Testing

/// What `Fixtures/make-vectors` wrote with python's `cryptography`: bytes by name.
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

  /// The bytes of a name; the test ends where there are none.
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

/// The bytes of a secret, where a test has to look at them.
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

/// A key of bytes that are one.
func publicKey(_ bytes: [UInt8], _ family: SoftwareKeyFamily) throws -> SoftwarePublicKey {
  try SoftwarePublicKey(external: bytes.span, of: family)
}

func privateKey(_ bytes: [UInt8], _ family: SoftwareKeyFamily) throws -> SoftwarePrivateKey {
  try SoftwarePrivateKey(external: bytes.span, of: family)
}

func digest(_ message: [UInt8], _ hash: HashFunction) throws -> [UInt8] {
  try hash.hash(message.span)
}
