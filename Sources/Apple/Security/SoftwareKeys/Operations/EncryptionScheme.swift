package import Cryptography

/// How bytes are encrypted to a public key.
package enum EncryptionScheme: Hashable, Sendable {
  /// RSA without padding (RFC 8017 §5.1); decrypting gives as many bytes as the modulus has.
  case rsaRaw
  /// RSAES-PKCS1-v1_5 (RFC 8017 §7.2). It tells from a failure something of the plaintext
  /// (Bleichenbacher): nobody else may be told whether decrypting failed.
  case rsaPKCS1
  /// RSAES-OAEP (RFC 8017 §7.1) with MGF1 of the same hash function and no label.
  case rsaOAEP(HashFunction)
  /// A random key wrapped by RSAES-OAEP, and the bytes, of any number, by AES-GCM under it: 128 bits
  /// for moduli below 4,096 bits, else 256; sixteen zero bytes are the nonce, and the public key in
  /// PKCS #1 is authenticated besides. Source: SecKeyAdaptors.m of Apple's Security 59754.
  case rsaOAEPWithAESGCM(HashFunction)
  /// What ``ECIESForm`` says.
  case ecies(HashFunction, derivesNonce: Bool)

  /// What keys of which family can have.
  package var family: SoftwareKeyFamily {
    if case .ecies = self { .curve } else { .rsa }
  }
}

extension SoftwareKeyKind {
  /// Whether keys of this kind encrypt and decrypt so.
  package func supports(_ scheme: EncryptionScheme) -> Bool {
    guard scheme.family == family else { return false }
    return switch scheme {
    case .rsaRaw, .rsaPKCS1, .ecies: true
    // What RSAES-OAEP needs at least (RFC 8017 §7.1.1), and with a key inside.
    case .rsaOAEP(let hash): blockSize >= 2 * hash.size + 2
    case .rsaOAEPWithAESGCM(let hash): blockSize >= 2 * hash.size + 2 + wrappedKeySize
    }
  }

  /// How many bytes are encrypted at most; nil where it is as many as there are.
  package func longestPlaintext(_ scheme: EncryptionScheme) -> Int? {
    switch scheme {
    case .rsaRaw: blockSize
    case .rsaPKCS1: blockSize - 11
    case .rsaOAEP(let hash): blockSize - 2 * hash.size - 2
    case .rsaOAEPWithAESGCM, .ecies: nil
    }
  }

  /// Bytes of the key that ``EncryptionScheme/rsaOAEPWithAESGCM(_:)`` wraps.
  var wrappedKeySize: Int { sizeInBits >= 4096 ? 32 : 16 }

  func require(_ scheme: EncryptionScheme) throws(CryptographyError) {
    guard supports(scheme) else { throw .invalidParameter(field: "algorithm") }
  }
}
