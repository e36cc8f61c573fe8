public import CoreFoundationTypes
import Cryptography
import Protocol

// The functions for keys. Any thread; the uses of private keys of the enclave block while the owner
// is asked. Errors of asking are those of LocalAuthentication (domain com.apple.LocalAuthentication,
// −2 if the owner cancels); others are OSStatus.

/// An operation of a key. The numbers are Apple's. Private keys sign, decrypt and exchange.
public enum SecKeyOperationType: Int, Sendable {
  case sign = 0, verify, encrypt, decrypt, keyExchange
}

/// A key in the parameters of ``SecKeyCopyKeyExchangeResult(_:_:_:_:_:)``.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
  private let text: String

  public var rawValue: CFString { constant(text) }

  /// The text need not be a known one.
  public init(rawValue: CFString) { text = rawValue as String }

  private init(_ text: String) { self.text = text }

  /// The number of bytes wanted: 1…1,048,576. Needed for algorithms with X9.63.
  public static let requestedSize = SecKeyKeyExchangeParameter("requestedSize")
  /// Bytes that both sides agree on.
  public static let sharedInfo = SecKeyKeyExchangeParameter("sharedInfo")
}

/// The number of the class of keys.
@discardableResult public func SecKeyGetTypeID() -> CFTypeID { typeIdentifier(of: SecKey.self) }

/// The public half of a private key; a public key itself.
@discardableResult public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
  guard key.material.isPrivate else { return key }
  let names = KeyNames(label: key.names.label, applicationTag: key.names.applicationTag)
  return SecKey(.publicKey(key.material.publicKey), names)
}

/// For RSA the size of the modulus in bytes, and so of signatures and ciphertexts; for curves that
/// of a coordinate.
@discardableResult public func SecKeyGetBlockSize(_ key: SecKey) -> Int {
  key.material.kind.blockSize
}

/// Exports a key.
/// - Parameters:
///   - key: a public key, or a private one outside the enclave.
///   - error: receives an error, which the caller owns: `errSecUnimplemented` for private keys of
///     the enclave, which never leave it.
/// - Returns: for curves X9.63 (4, x, y, and for a private key the scalar), for RSA PKCS #1 in DER.
///   A private key is then in memory that is neither locked nor wiped.
@discardableResult public func SecKeyCopyExternalRepresentation(
  _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe answer(error) { () throws(KeyProblem) in
    if case .publicKey(let key) = key.material { return Data(key.external) as NSData }
    return try key.material.external().foundationData()
  }
}

/// Makes a key from bytes without storing it; `SecItemAdd` with `kSecValueRef` does that.
/// - Parameters:
///   - keyData: as ``SecKeyCopyExternalRepresentation(_:_:)`` gives it; for RSA public keys also a
///     SubjectPublicKeyInfo.
///   - attributes: `kSecAttrKeyType` (elliptic curves or RSA) and `kSecAttrKeyClass`. The bytes
///     determine the size, whatever `kSecAttrKeySizeInBits` says.
///   - error: receives an error, which the caller owns: `errSecParam` for bytes that are not such a
///     key, `errSecUnimplemented` for other kinds of keys and for `kSecAttrTokenIDSecureEnclave`.
/// - Returns: the key, or nil.
@discardableResult public func SecKeyCreateWithData(
  _ keyData: CFData, _ attributes: CFDictionary,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
  unsafe answer(error) { () throws(KeyProblem) in
    let parameters = try KeyParameters(attributes)
    guard !parameters.isInEnclave else {
      throw .status(
        errSecUnimplemented, "a key from elsewhere cannot be brought into the enclave",
        hint: "make one there: SecKeyCreateRandomKey")
    }
    guard let isPrivate = parameters.isPrivate else {
      throw .parameter(
        "it is not stated which half of a pair the bytes are",
        hint: "give kSecAttrKeyClass: kSecAttrKeyClassPublic or kSecAttrKeyClassPrivate")
    }
    let bytes = keyData.secretBytes()
    let material = try KeyMaterial(
      bytes, of: try parameters.family(), isPrivate: isPrivate, "reading a key")
    return SecKey(material, parameters.names)
  }
}

/// The attributes of a key.
///
/// `kSecAttrKeyType` and `kSecAttrKeyClass` are texts, as the constants are, where
/// ``SecItemCopyMatching(_:_:)`` gives numbers. Sizes and abilities are `CFNumber`. A public key
/// has `kSecValueData`; for a private one use ``SecKeyCopyExternalRepresentation(_:_:)``. An
/// enclave key has `kSecAttrTokenID`, and `kSecAttrAccessControl` if it is guarded.
/// - Returns: a dictionary with the keys `kSecAttr…`.
@discardableResult public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
  let dictionary: NSMutableDictionary
  switch key.material {
  case .enclave(let use):
    dictionary = use.key.itemAttributes.dictionary(.item(.key))
    if use.isTemporary {
      dictionary[kSecAttrIsPermanent] = NSNumber(value: 0)
      dictionary.removeObject(forKey: kSecAttrApplicationTag)
    }
  case .privateKey, .publicKey:
    var attributes = key.names.item ?? ItemAttributes()
    attributes.itemClass = .key
    let own = key.itemValues
    for name in own.names where attributes.values[name] == nil {
      attributes.values[name] = own[name]
    }
    dictionary = attributes.dictionary(.item(.key))
    if key.names.item == nil {
      // What it has if it is stored.
      for name in [
        kSecAttrAccessGroup, kSecAttrAccessible, kSecAttrCreationDate, kSecAttrModificationDate,
        kSecAttrSynchronizable,
      ] { dictionary.removeObject(forKey: name) }
    }
    if case .publicKey(let key) = key.material {
      dictionary[kSecValueData] = Data(key.external) as NSData
    }
  }
  for name in [kSecAttrKeyType, kSecAttrKeyClass] {
    if let number = dictionary[name] as? NSNumber {
      dictionary[name] = number.stringValue as NSString
    }
  }
  return dictionary.copy() as? NSDictionary
}

/// Whether a key supports an operation by an algorithm. Needs no proof. Signing, decrypting and
/// agreeing are for private keys, the others for public ones.
@discardableResult public func SecKeyIsAlgorithmSupported(
  _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
  key.material.supports(operation, algorithm)
}

/// Signs.
/// - Parameters:
///   - key: a private key.
///   - algorithm: one `rsaSignature…` or `ecdsaSignature…`.
///   - dataToSign: the message, or the hash if the algorithm takes a digest.
///   - error: receives an error, which the caller owns.
/// - Returns: the signature, or nil.
@discardableResult public func SecKeyCreateSignature(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe answer(error) { () throws(KeyProblem) in
    let meaning = try key.material.meaning(of: algorithm, for: .sign)
    guard case .signature(let scheme) = meaning else { return nil }
    return Data(try key.material.sign((dataToSign as Data).span, scheme)) as NSData
  } ?? nil
}

/// Checks a signature.
/// - Parameters:
///   - key: a public key.
///   - algorithm: the one it was made by.
///   - signedData: the message, or the hash if the algorithm takes a digest.
///   - signature: the signature.
///   - error: receives an error, which the caller owns: `errSecVerifyFailed` for a signature that
///     does not fit.
/// - Returns: whether it fits.
@discardableResult public func SecKeyVerifySignature(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
  unsafe answer(error) { () throws(KeyProblem) in
    let meaning = try key.material.meaning(of: algorithm, for: .verify)
    guard case .signature(let scheme) = meaning else { return false }
    try key.material.requireValid(
      (signature as Data).span, over: (signedData as Data).span, scheme)
    return true
  } ?? false
}

/// Encrypts for the owner of the private half.
/// - Parameters:
///   - key: a public key.
///   - algorithm: one `rsaEncryption…` or `eciesEncryption…`.
///   - plaintext: of any length with `…AESGCM`, else as long as the padding leaves room.
///   - error: receives an error, which the caller owns.
/// - Returns: what the private half decrypts by the same algorithm, or nil.
@discardableResult public func SecKeyCreateEncryptedData(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe answer(error) { () throws(KeyProblem) in
    let meaning = try key.material.meaning(of: algorithm, for: .encrypt)
    guard case .encryption(let scheme) = meaning else { return nil }
    return Data(try key.material.encrypt((plaintext as Data).span, scheme)) as NSData
  } ?? nil
}

/// Decrypts.
/// - Parameters:
///   - key: a private key.
///   - algorithm: the one it was encrypted by.
///   - ciphertext: the result of ``SecKeyCreateEncryptedData(_:_:_:_:)``, here or on an Apple
///     device.
///   - error: receives an error, which the caller owns: `errSecParam` for what is damaged or for
///     another key.
/// - Returns: the plaintext, in memory that is neither locked nor wiped, or nil.
@discardableResult public func SecKeyCreateDecryptedData(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe answer(error) { () throws(KeyProblem) in
    let meaning = try key.material.meaning(of: algorithm, for: .decrypt)
    guard case .encryption(let scheme) = meaning else { return nil }
    return try key.material.decrypt((ciphertext as Data).span, scheme).foundationData()
  } ?? nil
}

/// Agrees on a secret with the owner of another key.
/// - Parameters:
///   - privateKey: one's own key, on a curve.
///   - algorithm: one `ecdhKeyExchange…`.
///   - publicKey: the other side's key, on the same curve.
///   - parameters: with X9.63 `SecKeyKeyExchangeParameter.requestedSize`, and `sharedInfo` if both
///     sides have some.
///   - error: receives an error, which the caller owns.
/// - Returns: the secret, in memory that is neither locked nor wiped, or nil.
@discardableResult public func SecKeyCopyKeyExchangeResult(
  _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey,
  _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe answer(error) { () throws(KeyProblem) in
    let meaning = try privateKey.material.meaning(of: algorithm, for: .keyExchange)
    guard case .agreement(let scheme) = meaning else { return nil }
    let (count, sharedInfo) = try exchangeParameters(parameters, of: scheme)
    let secret = try privateKey.material.sharedSecret(with: publicKey.material)
    do throws(CryptographyError) {
      return try scheme.result(from: secret, count: count, sharedInfo: sharedInfo)
        .foundationData()
    } catch {
      throw error.problem("deriving from a shared secret")
    }
  } ?? nil
}

/// The requested size, and the shared information.
private func exchangeParameters(
  _ dictionary: CFDictionary, of scheme: AgreementScheme
) throws(KeyProblem) -> (count: Int, sharedInfo: [UInt8]) {
  guard scheme != .raw else { return (0, []) }
  typealias Parameter = SecKeyKeyExchangeParameter
  guard let size = dictionary.object(forKey: Parameter.requestedSize.rawValue) as? Int,
    1...X963.longest ~= size
  else {
    throw .parameter(
      "the requested size is missing or not in 1…\(X963.longest)",
      hint: "give SecKeyKeyExchangeParameter.requestedSize")
  }
  guard let info = dictionary.object(forKey: Parameter.sharedInfo.rawValue) else {
    return (size, [])
  }
  guard let info = info as? Data else {
    throw .parameter(
      "the shared information is not data",
      hint: "give bytes for SecKeyKeyExchangeParameter.sharedInfo")
  }
  return (size, [UInt8](info))
}
