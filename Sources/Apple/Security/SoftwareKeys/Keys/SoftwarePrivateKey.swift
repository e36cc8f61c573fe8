package import Cryptography
package import Protocol

/// A private key in this process's memory; wiped when nobody holds it any more.
package struct SoftwarePrivateKey: Sendable {
  let key: KeyObject
  /// What sort of key it is.
  package let kind: SoftwareKeyKind
  /// The half that others may know.
  package let publicKey: SoftwarePublicKey

  /// A new random key. An RSA key of 8,192 bits takes seconds to half a minute.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` for RSA keys of a size that is not in
  ///   ``SoftwareKeyKind/rsaSizes`` or not of whole bytes.
  package init(generating kind: SoftwareKeyKind) throws(CryptographyError) {
    if case .rsa(let bits) = kind {
      guard SoftwareKeyKind.rsaSizes.contains(bits), bits.isMultiple(of: 8) else {
        throw .invalidParameter(field: "size")
      }
    }
    try self.init(KeyObject.generate(kind), kind)
  }

  /// Reads a private key. Total; the work grows with the length of the bytes, which the caller
  /// bounds.
  /// - Parameters:
  ///   - external: X9.63 with the scalar behind the point; or RSAPrivateKey of PKCS #1 in DER.
  ///   - family: which of them.
  /// - Throws: ``CryptographyError/invalidKey`` for what is none, and where its parts do not belong
  ///   together.
  package init(
    external: Span<UInt8>, of family: SoftwareKeyFamily
  ) throws(CryptographyError) {
    switch family {
    case .curve:
      let (key, curve) = try CurveKeyForm.privateKey(external)
      try self.init(key, .curve(curve))
    case .rsa:
      let key = try RSAKeyForm.privateKey(external)
      try self.init(key, .rsa(bits: key.sizeInBits))
    }
  }

  private init(_ key: KeyObject, _ kind: SoftwareKeyKind) throws(CryptographyError) {
    (self.key, self.kind) = (key, kind)
    publicKey = try SoftwarePublicKey(key, kind)
  }

  /// Its bytes as Apple's Security writes them, as ``init(external:of:)`` reads them.
  package func external() throws(CryptographyError) -> SecretBytes {
    switch kind {
    case .curve(let curve):
      try CurveKeyForm.external(key, point: publicKey.external, on: curve)
    case .rsa: try RSAKeyForm.external(private: key)
    }
  }
}
