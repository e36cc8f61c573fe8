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

  /// The curve of this size; nil where there is none.
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
