/// A hash function that keys sign or derive with, where its user chooses it (FIPS 180-4).
package enum HashFunction: CaseIterable, Hashable, Sendable {
  case sha1
  case sha224
  case sha256
  case sha384
  case sha512

  /// Bytes of a hash.
  package var size: Int {
    switch self {
    case .sha1: 20
    case .sha224: 28
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// How libcrypto's parameters call it.
  package var libcryptoName: StaticString {
    switch self {
    case .sha1: "SHA1"
    case .sha224: "SHA2-224"
    case .sha256: "SHA2-256"
    case .sha384: "SHA2-384"
    case .sha512: "SHA2-512"
    }
  }

  package func hash(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    try unsafe Libcrypto.hash(message, algorithm, count: size)
  }
}

extension HashFunction {
  /// libcrypto's own object for it; nil where the library did not start.
  @unsafe package var algorithm: OpaquePointer? {
    switch self {
    case .sha1: unsafe Libcrypto.sha1
    case .sha224: unsafe Libcrypto.sha224
    case .sha256: unsafe Libcrypto.sha256
    case .sha384: unsafe Libcrypto.sha384
    case .sha512: unsafe Libcrypto.sha512
    }
  }
}
