public import CoreFoundationTypes
import Cryptography
import Protocol

// The functions of before SecKeyAlgorithm, which Apple has deprecated. They do what those with an
// algorithm do, for buffers of the caller's.

/// Signs a hash.
/// - Parameters:
///   - key: a private key.
///   - padding: of RSA what surrounds the hash; of curves ``SecPadding/sigRaw`` or anything else for
///     DER.
///   - dataToSign: the hash.
///   - dataToSignLen: its bytes.
///   - sig: where the signature goes.
///   - sigLen: how many bytes there are room for, and then how many there are.
/// - Returns: `errSecSuccess`; `errSecBufferTooSmall`; `errSecParam`; what asking the owner ended with.
@discardableResult public func SecKeyRawSign(
  _ key: SecKey, _ padding: SecPadding, _ dataToSign: UnsafePointer<UInt8>, _ dataToSignLen: Int,
  _ sig: UnsafeMutablePointer<UInt8>, _ sigLen: UnsafeMutablePointer<Int>
) -> OSStatus {
  unsafe written(to: sig, sigLen) { () throws(KeyProblem) in
    let input = try unsafe copy(dataToSign, dataToSignLen)
    let scheme = try key.scheme(signing: padding, for: .sign)
    return try key.sign(input.span, scheme)
  }
}

/// Checks a signature of a hash.
/// - Parameters:
///   - key: a public key.
///   - padding: as it was signed with.
///   - signedData: the hash.
///   - signedDataLen: its bytes.
///   - sig: the signature.
///   - sigLen: its bytes.
/// - Returns: `errSecSuccess` where it fits; ``errSSLCrypto`` where it does not; `errSecParam`.
@discardableResult public func SecKeyRawVerify(
  _ key: SecKey, _ padding: SecPadding, _ signedData: UnsafePointer<UInt8>, _ signedDataLen: Int,
  _ sig: UnsafePointer<UInt8>, _ sigLen: Int
) -> OSStatus {
  do throws(KeyProblem) {
    let (signed, signature) = try unsafe (copy(signedData, signedDataLen), copy(sig, sigLen))
    let scheme = try key.scheme(signing: padding, for: .verify)
    try key.requireValid(Data(signature), over: Data(signed), scheme)
    return errSecSuccess
  } catch {
    // Older than errSecVerifyFailed, and so is the code that asks for its number.
    return error.status == errSecVerifyFailed ? errSSLCrypto : error.status
  }
}

/// Encrypts by RSA.
/// - Parameters:
///   - key: a public RSA key.
///   - padding: none of them, ``SecPadding/PKCS1`` or ``SecPadding/OAEP``.
///   - plainText: what is encrypted.
///   - plainTextLen: its bytes.
///   - cipherText: where the result goes, as long as the modulus.
///   - cipherTextLen: how many bytes there are room for, and then how many there are.
/// - Returns: `errSecSuccess`; `errSecBufferTooSmall`; `errSecParam`.
@discardableResult public func SecKeyEncrypt(
  _ key: SecKey, _ padding: SecPadding, _ plainText: UnsafePointer<UInt8>, _ plainTextLen: Int,
  _ cipherText: UnsafeMutablePointer<UInt8>, _ cipherTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
  unsafe written(to: cipherText, cipherTextLen) { () throws(KeyProblem) in
    let input = try unsafe copy(plainText, plainTextLen)
    return try key.encrypt(Data(input), try key.scheme(encrypting: padding, for: .encrypt))
  }
}

/// Decrypts by RSA.
/// - Parameters:
///   - key: a private RSA key.
///   - padding: as it was encrypted with.
///   - cipherText: what is decrypted.
///   - cipherTextLen: its bytes.
///   - plainText: where the result goes.
///   - plainTextLen: how many bytes there are room for, and then how many there are.
/// - Returns: `errSecSuccess`; `errSecBufferTooSmall`; `errSecParam`.
@discardableResult public func SecKeyDecrypt(
  _ key: SecKey, _ padding: SecPadding, _ cipherText: UnsafePointer<UInt8>, _ cipherTextLen: Int,
  _ plainText: UnsafeMutablePointer<UInt8>, _ plainTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
  unsafe written(to: plainText, plainTextLen) { () throws(KeyProblem) in
    let input = try unsafe copy(cipherText, cipherTextLen)
    let plain = try key.decrypt(
      input.span, try key.scheme(encrypting: padding, for: .decrypt))
    return plain.copied
  }
}

/// The bytes behind a pointer of the caller's.
@unsafe private func copy(
  _ start: UnsafePointer<UInt8>, _ count: Int
) throws(KeyProblem) -> [UInt8] {
  guard count >= 0 else {
    throw .parameter("a length is negative", hint: "give how many bytes there are")
  }
  return unsafe Array(UnsafeBufferPointer(start: start, count: count))
}

/// Puts what comes of `body` where the caller has room for `count` bytes.
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

extension SecKey {
  /// What a padding comes to in signatures of this key.
  fileprivate func scheme(
    signing padding: SecPadding, for operation: SecKeyOperationType
  ) throws(KeyProblem) -> SignatureScheme {
    try require(operation, isPrivate: operation == .sign)
    guard material.kind.family == .rsa else {
      return .ecdsa(padding == .sigRaw ? .rfc4754 : .x962, .digest(nil))
    }
    let hashes: [SecPadding: HashFunction] = [
      .PKCS1SHA1: .sha1, .PKCS1SHA224: .sha224, .PKCS1SHA256: .sha256, .PKCS1SHA384: .sha384,
      .PKCS1SHA512: .sha512,
    ]
    if let hash = hashes[padding] { return .rsaPKCS1(.digest(hash)) }
    if padding == [] { return .rsaRaw }
    if padding == .PKCS1 { return .rsaPKCS1(.digest(nil)) }
    throw Self.wrong(padding)
  }

  /// What a padding comes to in encryption for this key.
  fileprivate func scheme(
    encrypting padding: SecPadding, for operation: SecKeyOperationType
  ) throws(KeyProblem) -> EncryptionScheme {
    try require(operation, isPrivate: operation == .decrypt)
    guard material.kind.family == .rsa else {
      throw .parameter(
        "keys on curves encrypt by no padding", hint: "use SecKeyCreateEncryptedData")
    }
    switch padding {
    case []: return .rsaRaw
    case .PKCS1: return .rsaPKCS1
    case .OAEP: return .rsaOAEP(.sha1)
    default: throw Self.wrong(padding)
    }
  }

  private func require(
    _ operation: SecKeyOperationType, isPrivate: Bool
  ) throws(KeyProblem) {
    guard material.isPrivate == isPrivate else {
      throw .parameter("\(description) does not do “\(operation)”", hint: "give the other half")
    }
  }

  private static func wrong(_ padding: SecPadding) -> KeyProblem {
    .parameter(
      "the padding \(padding.rawValue) is not one for this key",
      hint: "use SecKeyCreateSignature or SecKeyCreateEncryptedData with an algorithm")
  }
}
