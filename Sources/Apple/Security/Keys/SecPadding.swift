public import CoreFoundationTypes
import Cryptography
import Protocol

/// The padding of RSA, in the functions that precede ``SecKeyAlgorithm``. An empty set is the
/// number as it is.
public struct SecPadding: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// PKCS #1 v1.5, in signatures without naming a hash function.
  public static let PKCS1 = SecPadding(rawValue: 1)
  /// OAEP with SHA-1.
  public static let OAEP = SecPadding(rawValue: 2)
  /// For a key on a curve: r and s, each as long as a coordinate.
  public static let sigRaw = SecPadding(rawValue: 0x4000)
  /// PKCS #1 v1.5 of an MD2 hash. Refused: collisions can be made.
  public static let PKCS1MD2 = SecPadding(rawValue: 0x8000)
  /// PKCS #1 v1.5 of an MD5 hash. Refused likewise.
  public static let PKCS1MD5 = SecPadding(rawValue: 0x8001)
  public static let PKCS1SHA1 = SecPadding(rawValue: 0x8002)
  public static let PKCS1SHA224 = SecPadding(rawValue: 0x8003)
  public static let PKCS1SHA256 = SecPadding(rawValue: 0x8004)
  public static let PKCS1SHA384 = SecPadding(rawValue: 0x8005)
  public static let PKCS1SHA512 = SecPadding(rawValue: 0x8006)
}

// The functions that precede SecKeyAlgorithm, which Apple has deprecated. They do the same in the
// caller's buffers.

/// Signs a hash.
/// - Parameters:
///   - key: a private key.
///   - padding: for RSA the padding; for curves ``SecPadding/sigRaw`` or anything else for DER.
///   - dataToSign: the hash.
///   - dataToSignLen: its size in bytes.
///   - sig: receives the signature.
///   - sigLen: the room in bytes, and then the size of the signature.
/// - Returns: `errSecSuccess`; `errSecBufferTooSmall`; `errSecParam`; the failure of a prompt.
@discardableResult public func SecKeyRawSign(
  _ key: SecKey, _ padding: SecPadding, _ dataToSign: UnsafePointer<UInt8>, _ dataToSignLen: Int,
  _ sig: UnsafeMutablePointer<UInt8>, _ sigLen: UnsafeMutablePointer<Int>
) -> OSStatus {
  unsafe written(to: sig, sigLen) { () throws(KeyProblem) in
    let input = try unsafe copy(dataToSign, dataToSignLen)
    let scheme = try padding.signature(by: key.material, for: .sign)
    return try key.material.sign(input.span, scheme)
  }
}

/// Checks a signature of a hash, made with the same padding.
@discardableResult public func SecKeyRawVerify(
  _ key: SecKey, _ padding: SecPadding, _ signedData: UnsafePointer<UInt8>, _ signedDataLen: Int,
  _ sig: UnsafePointer<UInt8>, _ sigLen: Int
) -> OSStatus {
  do throws(KeyProblem) {
    let (signed, signature) = try unsafe (copy(signedData, signedDataLen), copy(sig, sigLen))
    let scheme = try padding.signature(by: key.material, for: .verify)
    try key.material.requireValid(signature.span, over: signed.span, scheme)
    return errSecSuccess
  } catch {
    // Older than errSecVerifyFailed, and so is the code that asks for its number.
    return error.status == errSecVerifyFailed ? errSSLCrypto : error.status
  }
}

/// Encrypts by RSA.
/// - Parameters:
///   - key: a public RSA key.
///   - padding: none, ``SecPadding/PKCS1`` or ``SecPadding/OAEP``.
///   - plainText: the message.
///   - plainTextLen: its size in bytes.
///   - cipherText: receives the result, which is as long as the modulus.
///   - cipherTextLen: the room in bytes, and then the size of the result.
/// - Returns: `errSecSuccess`; `errSecBufferTooSmall`; `errSecParam`.
@discardableResult public func SecKeyEncrypt(
  _ key: SecKey, _ padding: SecPadding, _ plainText: UnsafePointer<UInt8>, _ plainTextLen: Int,
  _ cipherText: UnsafeMutablePointer<UInt8>, _ cipherTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
  unsafe written(to: cipherText, cipherTextLen) { () throws(KeyProblem) in
    let input = try unsafe copy(plainText, plainTextLen)
    let scheme = try padding.encryption(by: key.material, for: .encrypt)
    return try key.material.encrypt(input.span, scheme)
  }
}

/// Decrypts what ``SecKeyEncrypt(_:_:_:_:_:_:)`` encrypted with the same padding; otherwise like
/// it.
@discardableResult public func SecKeyDecrypt(
  _ key: SecKey, _ padding: SecPadding, _ cipherText: UnsafePointer<UInt8>, _ cipherTextLen: Int,
  _ plainText: UnsafeMutablePointer<UInt8>, _ plainTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
  unsafe written(to: plainText, plainTextLen) { () throws(KeyProblem) in
    let input = try unsafe copy(cipherText, cipherTextLen)
    let scheme = try padding.encryption(by: key.material, for: .decrypt)
    return try key.material.decrypt(input.span, scheme).copied
  }
}

@unsafe private func copy(
  _ start: UnsafePointer<UInt8>, _ count: Int
) throws(KeyProblem) -> [UInt8] {
  guard count >= 0 else {
    throw .parameter("a length is negative", hint: "give how many bytes there are")
  }
  return unsafe Array(UnsafeBufferPointer(start: start, count: count))
}

/// Puts what comes of `body` if the caller has room for `count` bytes.
@unsafe private func written(
  to target: UnsafeMutablePointer<UInt8>, _ count: UnsafeMutablePointer<Int>,
  _ body: () throws(KeyProblem) -> [UInt8]
) -> OSStatus {
  do throws(KeyProblem) {
    let bytes = try body()
    guard unsafe bytes.count <= count.pointee else { return errSecBufferTooSmall }
    _ = unsafe UnsafeMutableBufferPointer(start: target, count: bytes.count).update(
      fromContentsOf: bytes)
    unsafe count.pointee = bytes.count
    return errSecSuccess
  } catch {
    return error.status
  }
}

extension SecPadding {
  /// The scheme by which a key signs or verifies with this padding.
  fileprivate func signature(
    by key: KeyMaterial, for operation: SecKeyOperationType
  ) throws(KeyProblem) -> SignatureScheme {
    try Self.require(operation, of: key, isPrivate: operation == .sign)
    guard key.kind.family == .rsa else {
      return .ecdsa(self == .sigRaw ? .rfc4754 : .x962, .digest(nil))
    }
    switch self {
    case []: return .rsaRaw
    case .PKCS1: return .rsaPKCS1(.digest(nil))
    case .PKCS1SHA1: return .rsaPKCS1(.digest(.sha1))
    case .PKCS1SHA224: return .rsaPKCS1(.digest(.sha224))
    case .PKCS1SHA256: return .rsaPKCS1(.digest(.sha256))
    case .PKCS1SHA384: return .rsaPKCS1(.digest(.sha384))
    case .PKCS1SHA512: return .rsaPKCS1(.digest(.sha512))
    default: throw wrong
    }
  }

  /// The scheme by which a key encrypts or decrypts with this padding.
  fileprivate func encryption(
    by key: KeyMaterial, for operation: SecKeyOperationType
  ) throws(KeyProblem) -> EncryptionScheme {
    try Self.require(operation, of: key, isPrivate: operation == .decrypt)
    guard key.kind.family == .rsa else {
      throw .parameter(
        "keys on curves have no padding", hint: "use SecKeyCreateEncryptedData")
    }
    switch self {
    case []: return .rsaRaw
    case .PKCS1: return .rsaPKCS1
    case .OAEP: return .rsaOAEP(.sha1)
    default: throw wrong
    }
  }

  private static func require(
    _ operation: SecKeyOperationType, of key: KeyMaterial, isPrivate: Bool
  ) throws(KeyProblem) {
    guard key.isPrivate == isPrivate else {
      throw .parameter("\(key) does not do “\(operation)”", hint: "give the other half")
    }
  }

  private var wrong: KeyProblem {
    .parameter(
      "the padding \(rawValue) is not one for this key",
      hint: "use SecKeyCreateSignature or SecKeyCreateEncryptedData with an algorithm")
  }
}
