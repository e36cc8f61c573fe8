package import Cryptography
package import Protocol

// SoftwareKeys: keys that are not the enclave's, over libcrypto 3: what Apple's Security calls
// SecKey in its external forms, and what may be done with them. Operations take any thread; they
// compute and ask nobody.

/// The curves that keys may lie on (SP 800-186).
package enum EllipticCurve: CaseIterable, Hashable, Sendable {
  case p256
  case p384
  case p521

  /// Bits of a coordinate.
  package var sizeInBits: Int {
    switch self {
    case .p256: 256
    case .p384: 384
    case .p521: 521
    }
  }

  /// Bytes of a coordinate, and of a scalar.
  package var coordinateSize: Int { (sizeInBits + 7) / 8 }

  /// Bytes of a point in its uncompressed form (SEC 1 §2.3.3).
  package var pointSize: Int { 1 + 2 * coordinateSize }

  /// The curve of this size; nil if there is none.
  package init?(sizeInBits: Int) {
    guard let found = Self.allCases.first(where: { $0.sizeInBits == sizeInBits }) else {
      return nil
    }
    self = found
  }

  /// How libcrypto calls it.
  var libcryptoName: StaticString {
    switch self {
    case .p256: "P-256"
    case .p384: "P-384"
    case .p521: "P-521"
    }
  }
}

/// What sort of key it is, and how large.
package enum SoftwareKeyKind: Hashable, Sendable {
  case curve(EllipticCurve)
  /// An RSA key whose modulus has this many bits.
  case rsa(bits: Int)

  /// The sizes of RSA keys that are made and taken, in bits. Below 2,048 they are for what is old:
  /// NIST allows none since 2014 (SP 800-131A).
  package static let rsaSizes = 1024...8192

  /// Bits of a coordinate, or of the modulus.
  package var sizeInBits: Int {
    switch self {
    case .curve(let curve): curve.sizeInBits
    case .rsa(let bits): bits
    }
  }

  /// Bytes of a coordinate, or of the modulus.
  package var blockSize: Int { (sizeInBits + 7) / 8 }
}

/// The two families of keys, whose external forms differ.
package enum SoftwareKeyFamily: Hashable, Sendable {
  case curve
  case rsa
}

extension SoftwareKeyKind {
  /// Whether it lies on a curve or is an RSA key.
  package var family: SoftwareKeyFamily {
    switch self {
    case .curve: .curve
    case .rsa: .rsa
    }
  }
}

/// A public key, known to be one: on its curve, or with a modulus and an exponent that can be.
package struct SoftwarePublicKey: Sendable, Hashable {
  let key: KeyObject
  /// What sort of key it is.
  package let kind: SoftwareKeyKind
  /// Its bytes as Apple's Security writes them: X9.63 (an uncompressed point), or RSAPublicKey of
  /// PKCS #1 in DER. Two keys are the same if these are.
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
  /// - Throws: ``CryptographyError/invalidKey`` for what is none, and if its parts do not belong
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
