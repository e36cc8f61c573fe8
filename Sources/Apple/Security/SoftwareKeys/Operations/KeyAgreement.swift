package import Cryptography
package import Protocol

/// What becomes of the secret that two keys share.
package enum AgreementScheme: Hashable, Sendable {
  /// The x coordinate as it is (SP 800-56A §5.7.1.2). It is no key: derive one from it.
  case raw
  /// As many bytes as are wanted, by X9.63.
  case x963(HashFunction)

  /// What both sides get from the secret they share.
  /// - Parameters:
  ///   - secret: an x coordinate.
  ///   - count: how many bytes, 1…``X963/longest``; without meaning for ``raw``.
  ///   - sharedInfo: what else both sides know and mean; without meaning for ``raw``.
  /// - Returns: the secret, or the bytes derived from it.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` for a count outside of its limits.
  package func result(
    from secret: consuming SecretBytes, count: Int, sharedInfo: [UInt8]
  ) throws(CryptographyError) -> SecretBytes {
    switch self {
    case .raw: secret
    case .x963(let hash):
      try X963.deriveKey(from: secret, sharedInfo: sharedInfo, hash: hash, count: count)
    }
  }
}

extension SoftwarePrivateKey {
  /// The secret shared with the owner of `other` (ECDH): the x coordinate. On these curves, whose
  /// cofactor is 1, ECDH with cofactor gives the same.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` where the keys are not on one curve.
  package func sharedSecret(
    with other: SoftwarePublicKey
  ) throws(CryptographyError) -> SecretBytes {
    guard case .curve(let curve) = kind, other.kind == kind else {
      throw .invalidParameter(field: "public key")
    }
    return try key.context().sharedSecret(with: other.key, count: curve.coordinateSize)
  }
}
