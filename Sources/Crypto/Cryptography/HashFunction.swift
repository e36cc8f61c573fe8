import CLibcrypto
package import Protocol

/// A hash function that a caller chooses (FIPS 180-4).
package enum HashFunction: CaseIterable, Hashable, Sendable {
  case sha1
  case sha224
  case sha256
  case sha384
  case sha512

  /// Bytes of a hash.
  package var size: Int { facts.size }
  package var libcryptoName: StaticString { facts.name }

  private var facts: (size: Int, name: StaticString) {
    switch self {
    case .sha1: (20, "SHA1")
    case .sha224: (28, "SHA2-224")
    case .sha256: (32, "SHA2-256")
    case .sha384: (48, "SHA2-384")
    case .sha512: (64, "SHA2-512")
    }
  }

  package func hash(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    try unsafe Libcrypto.hash(message, algorithm, count: size)
  }
}

extension HashFunction {
  /// libcrypto's object; nil if the library did not start.
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

/// SHA-1 (FIPS 180-4), which names public keys in certificates and keychains (RFC 5280 §4.2.1.2).
/// It proves nothing: two messages with one hash can be made.
package enum SHA1 {
  package static func hash(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    try unsafe Libcrypto.hash(message, Libcrypto.sha1, count: 20)
  }
}

/// The hash functions of FIPS 180-4, for public bytes. Use ``HMACSHA256`` for secrets.
package enum SHA2 {
  package static func sha256(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    try unsafe Libcrypto.hash(message, Libcrypto.sha256, count: 32)
  }

  package static func sha384(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    try unsafe Libcrypto.hash(message, Libcrypto.sha384, count: 48)
  }

  package static func sha512(_ message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
    try unsafe Libcrypto.hash(message, Libcrypto.sha512, count: 64)
  }
}

/// SHA-256 of a message that comes in parts (FIPS 180-4).
@safe package struct SHA256Stream: ~Copyable {
  package static let size = 32

  private let context: OpaquePointer

  package init() throws(CryptographyError) {
    guard let context = unsafe EVP_MD_CTX_new() else { throw Libcrypto.failure("SHA-256") }
    guard unsafe EVP_DigestInit_ex2(context, Libcrypto.sha256, nil) == 1 else {
      unsafe EVP_MD_CTX_free(context)
      throw Libcrypto.failure("SHA-256")
    }
    unsafe self.context = context
  }

  package mutating func update(_ part: Span<UInt8>) throws(CryptographyError) {
    let done = unsafe part.withUnsafeBufferPointer {
      unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
    }
    guard done == 1 else { throw Libcrypto.failure("SHA-256") }
  }

  /// The hash of all parts. No part may follow.
  package mutating func finish() throws(CryptographyError) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: Self.size)
    let done = unsafe hash.withUnsafeMutableBufferPointer {
      unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil)
    }
    guard done == 1 else { throw Libcrypto.failure("SHA-256") }
    return hash
  }

  deinit { unsafe EVP_MD_CTX_free(context) }
}

/// Message authentication with a hash function (RFC 2104, FIPS 198-1).
package enum HMAC {
  /// `key` may have any length.
  package static func code(
    for message: Span<UInt8>, with key: borrowing SecretBytes, by function: HashFunction
  ) throws(CryptographyError) -> [UInt8] {
    guard let context = unsafe EVP_MAC_CTX_new(Libcrypto.hmac) else {
      throw Libcrypto.failure("HMAC")
    }
    defer { unsafe EVP_MAC_CTX_free(context) }
    var code = [UInt8](repeating: 0, count: function.size)
    var written = 0
    let parameters = unsafe [
      Libcrypto.text("digest", function.libcryptoName), OSSL_PARAM_construct_end(),
    ]
    let done = unsafe parameters.withUnsafeBufferPointer { parameters in
      unsafe key.withUnsafeBytes { key in
        unsafe EVP_MAC_init(
          context, key.baseAddress?.assumingMemoryBound(to: UInt8.self), key.count,
          parameters.baseAddress)
      } == 1
        && message.withUnsafeBufferPointer { message in
          unsafe message.isEmpty
            || EVP_MAC_update(context, message.baseAddress, message.count) == 1
        }
    }
    let finished = unsafe code.withUnsafeMutableBufferPointer { target in
      unsafe EVP_MAC_final(context, target.baseAddress, &written, target.count)
    }
    guard done, finished == 1, written == code.count else { throw Libcrypto.failure("HMAC") }
    return code
  }
}

/// ``HMAC`` with SHA-256.
package enum HMACSHA256 {
  package static let size = 32

  package static func code(
    for message: Span<UInt8>, with key: borrowing SecretBytes
  ) throws(CryptographyError) -> [UInt8] {
    try HMAC.code(for: message, with: key, by: .sha256)
  }

  /// Checks `code` in constant time.
  package static func isValid(
    _ code: Span<UInt8>, for message: Span<UInt8>, with key: borrowing SecretBytes
  ) throws(CryptographyError) -> Bool {
    let expected = try self.code(for: message, with: key)
    return SecretBytes(copying: expected.span).isEqual(to: code)
  }
}
