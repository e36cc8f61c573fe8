package import Cryptography

package enum SignatureScheme: Hashable, Sendable {
  /// ECDSA (FIPS 186-5 §6).
  case ecdsa(ECDSAForm, SignedInput)
  /// RSA without padding (RFC 8017 §5.2.1); the input is at most as long as the modulus.
  case rsaRaw
  /// RSASSA-PKCS1-v1_5 (RFC 8017 §8.2). Of a digest whose function is not named there is no prefix
  /// that says which.
  case rsaPKCS1(SignedInput)
  /// RSASSA-PSS (RFC 8017 §8.1) with MGF1 of the same hash function, and a salt as long as a hash.
  case rsaPSS(SignedInput)

  /// What keys of which family can have.
  package var family: SoftwareKeyFamily {
    switch self {
    case .ecdsa: .curve
    case .rsaRaw, .rsaPKCS1, .rsaPSS: .rsa
    }
  }

  /// What is signed; nil where it is signed as it is.
  package var input: SignedInput? {
    switch self {
    case .ecdsa(_, let input), .rsaPKCS1(let input), .rsaPSS(let input): input
    case .rsaRaw: nil
    }
  }
}

package enum ECDSAForm: Hashable, Sendable {
  /// A SEQUENCE of two INTEGERs in DER (X9.62, RFC 3279 §2.2.3).
  case x962
  /// Both numbers, each as long as a coordinate (RFC 4754).
  case rfc4754
}

/// What a signature is made over.
package enum SignedInput: Hashable, Sendable {
  case message(HashFunction)
  /// A hash; of which function, where that is known.
  case digest(HashFunction?)

  /// The hash function, where one is named.
  package var hash: HashFunction? {
    switch self {
    case .message(let hash): hash
    case .digest(let hash): hash
    }
  }

  /// What is signed: the hash of a message, or the hash that is given.
  /// - Throws: ``CryptographyError/wrongSize(field:expected:found:)`` for a hash that is not as long as
  ///   one of its function, or is empty.
  package func digest(of input: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    switch self {
    case .message(let hash): return try hash.hash(input)
    case .digest(let hash):
      let size = hash?.size ?? max(input.count, 1)
      guard input.count == size else {
        throw .wrongSize(field: "digest", expected: size, found: input.count)
      }
      return input.indices.map { input[$0] }
    }
  }
}
