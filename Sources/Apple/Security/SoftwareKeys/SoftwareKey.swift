package import Cryptography
package import Protocol

// SoftwareKeys: keys outside the enclave, over libcrypto 3, in the external forms of Apple's
// Security. Operations take any thread and ask nobody.

/// The curves of keys (SP 800-186).
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

  /// The curve of this size, or nil.
  package init?(sizeInBits: Int) {
    guard let found = Self.allCases.first(where: { $0.sizeInBits == sizeInBits }) else {
      return nil
    }
    self = found
  }

  /// The name in libcrypto.
  var libcryptoName: StaticString {
    switch self {
    case .p256: "P-256"
    case .p384: "P-384"
    case .p521: "P-521"
    }
  }
}

/// The kind and size of a key.
package enum SoftwareKeyKind: Hashable, Sendable {
  case curve(EllipticCurve)
  /// An RSA key whose modulus has this many bits.
  case rsa(bits: Int)

  /// The accepted sizes of RSA keys in bits. Those below 2,048 are for old data: NIST has not
  /// allowed them since 2014 (SP 800-131A).
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
  package var family: SoftwareKeyFamily {
    switch self {
    case .curve: .curve
    case .rsa: .rsa
    }
  }
}

/// A checked public key: on its curve, or with a possible modulus and exponent.
package struct SoftwarePublicKey: Sendable, Hashable {
  let key: KeyObject
  package let kind: SoftwareKeyKind
  /// The bytes in Apple's form: X9.63 (an uncompressed point), or RSAPublicKey of PKCS #1 in DER.
  /// Keys are equal if these are.
  package let external: [UInt8]

  /// Reads a public key. Total; the work grows with the length of the bytes, which the caller
  /// bounds.
  /// - Parameters:
  ///   - external: X9.63; PKCS #1 in DER, also inside a SubjectPublicKeyInfo.
  ///   - family: which of the two.
  /// - Throws: ``CryptographyError/invalidKey`` for anything else, and for an RSA key whose size is
  ///   not in ``SoftwareKeyKind/rsaSizes`` or whose exponent is invalid.
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

  /// SHA-1 of ``external``, 20 bytes, by which keychains and certificates identify the pair.
  package func label() throws(CryptographyError) -> [UInt8] { try SHA1.hash(external.span) }

  package static func == (left: SoftwarePublicKey, right: SoftwarePublicKey) -> Bool {
    left.external == right.external
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(external) }
}

/// A private key in this process's memory, wiped with the last reference.
package struct SoftwarePrivateKey: Sendable {
  let key: KeyObject
  package let kind: SoftwareKeyKind
  /// The public half.
  package let publicKey: SoftwarePublicKey

  /// A new random key. An RSA key of 8,192 bits takes seconds to half a minute.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` for RSA keys whose size is not in
  ///   ``SoftwareKeyKind/rsaSizes`` or not in whole bytes.
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
  /// - Throws: ``CryptographyError/invalidKey`` for anything else, and if the parts do not belong
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

  /// The bytes in Apple's form, as ``init(external:of:)`` reads them.
  package func external() throws(CryptographyError) -> SecretBytes {
    switch kind {
    case .curve(let curve):
      try CurveKeyForm.external(key, point: publicKey.external, on: curve)
    case .rsa: try RSAKeyForm.external(private: key)
    }
  }
}
