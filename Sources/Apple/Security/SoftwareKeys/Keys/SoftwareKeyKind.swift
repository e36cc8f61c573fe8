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
