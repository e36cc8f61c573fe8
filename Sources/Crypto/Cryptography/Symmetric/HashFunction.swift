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

/// SHA-1 (FIPS 180-4), by which public keys are called in certificates and keychains (RFC 5280
/// §4.2.1.2). It is a name there and proves nothing: others can make two messages of one hash.
package enum SHA1 {
  /// 20 bytes.
  package static func hash(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    try unsafe Libcrypto.hash(message, Libcrypto.sha1, count: 20)
  }
}

/// The hash functions of FIPS 180-4. Hashes are not secret; a hash of a secret is made with
/// ``HMACSHA256``.
package enum SHA2 {
  /// SHA-256: 32 bytes.
  package static func sha256(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    try unsafe Libcrypto.hash(message, Libcrypto.sha256, count: 32)
  }

  /// SHA-384: 48 bytes.
  package static func sha384(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    try unsafe Libcrypto.hash(message, Libcrypto.sha384, count: 48)
  }

  /// SHA-512: 64 bytes.
  package static func sha512(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    try unsafe Libcrypto.hash(message, Libcrypto.sha512, count: 64)
  }
}
