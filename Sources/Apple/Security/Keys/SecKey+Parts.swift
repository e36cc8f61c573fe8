public import CoreFoundationTypes
import Cryptography
import Protocol

/// The public half of a key.
/// - Returns: of a private key the other half; a public key is its own.
@discardableResult public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
  guard key.material.isPrivate else { return key }
  var names = KeyNames()
  names.label = key.names.label
  names.applicationTag = key.names.applicationTag
  return SecKey(.publicKey(key.material.publicKey), names)
}

/// How long what it makes is.
/// - Returns: of RSA the bytes of the modulus, so of signatures and what is encrypted; of curves the
///   bytes of a coordinate.
@discardableResult public func SecKeyGetBlockSize(_ key: SecKey) -> Int {
  key.material.kind.blockSize
}

/// A key as bytes.
/// - Parameters:
///   - key: a public key, or a private one that is not in the enclave.
///   - error: where an error goes, which the caller owns: `errSecUnimplemented` for private keys of
///     the enclave, which never leave it.
/// - Returns: of curves X9.63 (4, x, y, and of a private key the scalar), of RSA PKCS #1 in DER. A
///   private key then lies in memory that is neither locked nor wiped.
@discardableResult public func SecKeyCopyExternalRepresentation(
  _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe answer(error) { () throws(KeyProblem) in
    switch key.material {
    case .publicKey(let key): return Data(key.external) as NSData
    case .privateKey(let key):
      let bytes = try doing("exporting a key") { () throws(CryptographyError) in
        try key.external()
      }
      return bytes.foundationData()
    case .enclave:
      throw .status(
        errSecUnimplemented, "the private half of a key of the enclave never leaves it",
        hint: "export the public half: SecKeyCopyPublicKey")
    }
  }
}

/// A key of bytes, which is not stored: `SecItemAdd` with `kSecValueRef` does that.
/// - Parameters:
///   - keyData: as ``SecKeyCopyExternalRepresentation(_:_:)`` gives it; of RSA public keys also a
///     SubjectPublicKeyInfo.
///   - attributes: `kSecAttrKeyType` (elliptic curves or RSA) and `kSecAttrKeyClass`. The bytes say how
///     large the key is, whatever `kSecAttrKeySizeInBits` says.
///   - error: where an error goes, which the caller owns: `errSecParam` for bytes that are no such
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
        errSecUnimplemented, "a key that was made elsewhere cannot be brought into the enclave",
        hint: "have one made there: SecKeyCreateRandomKey")
    }
    guard let isPrivate = parameters.isPrivate else {
      throw .parameter(
        "nothing says which half of a pair the bytes are",
        hint: "give kSecAttrKeyClass: kSecAttrKeyClassPublic or kSecAttrKeyClassPrivate")
    }
    let bytes = keyData.secretBytes()
    let material = try KeyMaterial(
      bytes, of: try parameters.family(), isPrivate: isPrivate, "reading a key")
    return SecKey(material, parameters.names)
  }
}

extension KeyMaterial {
  /// A key of its external form.
  init(
    _ bytes: borrowing SecretBytes, of family: SoftwareKeyFamily, isPrivate: Bool,
    _ purpose: String
  ) throws(KeyProblem) {
    do throws(CryptographyError) {
      self =
        isPrivate
        ? .privateKey(try SoftwarePrivateKey(external: bytes.bytes, of: family))
        : .publicKey(try SoftwarePublicKey(external: bytes.bytes, of: family))
    } catch {
      throw error.problem(purpose)
    }
  }
}
