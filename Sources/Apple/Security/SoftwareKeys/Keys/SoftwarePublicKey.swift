package import Cryptography

/// A public key, known to be one: on its curve, or with a modulus and an exponent that can be.
package struct SoftwarePublicKey: Sendable, Hashable {
  let key: KeyObject
  /// What sort of key it is.
  package let kind: SoftwareKeyKind
  /// Its bytes as Apple's Security writes them: X9.63 (an uncompressed point), or RSAPublicKey of
  /// PKCS #1 in DER. Two keys are the same where these are.
  package let external: [UInt8]

  /// Reads a public key. Total; the work grows with the length of the bytes, which the caller bounds.
  /// - Parameters:
  ///   - external: X9.63; PKCS #1 in DER, also inside a SubjectPublicKeyInfo.
  ///   - family: which of them.
  /// - Throws: ``CryptographyError/invalidKey`` for what is none, or an RSA key of a size outside of
  ///   ``SoftwareKeyKind/rsaSizes`` or with an exponent that encrypts nothing.
  package init(
    external: Span<UInt8>, of family: SoftwareKeyFamily
  ) throws(CryptographyError) {
    switch family {
    case .curve:
      let (key, curve) = try CurveKeyForm.publicKey(external)
      try self.init(key, .curve(curve))
    case .rsa:
      let key = try RSAKeyForm.publicKey(external)
      try self.init(key, .rsa(bits: key.sizeInBits))
    }
  }

  init(_ key: KeyObject, _ kind: SoftwareKeyKind) throws(CryptographyError) {
    (self.key, self.kind) = (key, kind)
    external =
      switch kind {
      case .curve(let curve): try key.point(on: curve)
      case .rsa: try RSAKeyForm.external(public: key)
      }
  }

  /// SHA-1 of ``external``, 20 bytes: what keychains and certificates call the pair.
  package func label() throws(CryptographyError) -> [UInt8] { try SHA1.hash(external.span) }

  package static func == (left: SoftwarePublicKey, right: SoftwarePublicKey) -> Bool {
    left.external == right.external
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(external) }
}
