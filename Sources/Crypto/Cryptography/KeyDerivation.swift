import CLibcrypto
package import Protocol

/// Keys from a key (RFC 5869 with SHA-256).
package enum HKDFSHA256 {
  /// Extract, then expand.
  /// - Parameters:
  ///   - key: the input keying material; at least one byte.
  ///   - salt: may be empty.
  ///   - purpose: `info` of the RFC; at most 1,024 bytes.
  ///   - count: 1…8,160 bytes (255 hashes).
  /// - Returns: `count` bytes in locked memory.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` outside these limits.
  package static func deriveKey(
    from key: Span<UInt8>, salt: [UInt8], purpose: [UInt8], count: Int
  ) throws(CryptographyError) -> SecretBytes {
    guard 1...8160 ~= count else { throw .invalidParameter(field: "count") }
    return try derive("EXTRACT_AND_EXPAND", from: key, salt: salt.span, purpose, count)
  }

  /// Extracts alone: a pseudorandom key of 32 bytes. `key` has at least one byte, and `salt` may be
  /// empty.
  /// - Throws: ``CryptographyError/invalidParameter(field:)``.
  static func extract(
    from key: Span<UInt8>, salt: Span<UInt8>
  ) throws(CryptographyError) -> SecretBytes {
    try derive("EXTRACT_ONLY", from: key, salt: salt, [], SHA256Stream.size)
  }

  /// Expands a pseudorandom key of 32 bytes. Limits and errors are those of
  /// ``deriveKey(from:salt:purpose:count:)``.
  static func expand(
    _ key: borrowing SecretBytes, purpose: [UInt8], count: Int
  ) throws(CryptographyError) -> SecretBytes {
    guard 1...8160 ~= count else { throw .invalidParameter(field: "count") }
    return try derive("EXPAND_ONLY", from: key.bytes, salt: Span(), purpose, count)
  }

  /// Runs one mode of `EVP_KDF-HKDF(7)`.
  private static func derive(
    _ mode: StaticString, from key: Span<UInt8>, salt: Span<UInt8>, _ purpose: [UInt8],
    _ count: Int
  ) throws(CryptographyError) -> SecretBytes {
    guard key.count >= 1 else { throw .invalidParameter(field: "input key") }
    guard purpose.count <= 1024 else { throw .invalidParameter(field: "purpose") }
    return try unsafe key.withUnsafeBytes { (key) throws(CryptographyError) in
      try unsafe salt.withUnsafeBytes { (salt) throws(CryptographyError) in
        try unsafe purpose.span.withUnsafeBytes { (purpose) throws(CryptographyError) in
          var parameters = unsafe [
            Libcrypto.text("digest", "SHA2-256"), Libcrypto.text("mode", mode),
            Libcrypto.octets("key", key), Libcrypto.octets("info", purpose),
          ]
          if salt.count > 0 { unsafe parameters.append(Libcrypto.octets("salt", salt)) }
          return try unsafe Libcrypto.derive(
            Libcrypto.hkdf, parameters, count: count, operation: "HKDF-SHA-256")
        }
      }
    }
  }
}

/// The key derivation of ANSI X9.63 (SEC 1 §3.6.1).
package enum X963 {
  package static let longest = 1 << 20

  /// Derives `count` bytes (1…``longest``) from a shared secret.
  /// - Parameters:
  ///   - secret: shared; at least one byte.
  ///   - sharedInfo: other bytes that both sides know.
  ///   - hash: the hash function.
  ///   - count: the number of bytes.
  /// - Returns: the bytes in locked memory.
  /// - Throws: ``CryptographyError/invalidParameter(field:)`` outside these limits.
  package static func deriveKey(
    from secret: borrowing SecretBytes, sharedInfo: [UInt8], hash: HashFunction = .sha256,
    count: Int
  ) throws(CryptographyError) -> SecretBytes {
    guard secret.count >= 1 else { throw .invalidParameter(field: "shared secret") }
    guard 1...longest ~= count else { throw .invalidParameter(field: "count") }
    return try unsafe secret.bytes.withUnsafeBytes { (secret) throws(CryptographyError) in
      try unsafe sharedInfo.span.withUnsafeBytes { (info) throws(CryptographyError) in
        let parameters = unsafe [
          Libcrypto.text("digest", hash.libcryptoName), Libcrypto.octets("secret", secret),
          Libcrypto.octets("info", info),
        ]
        return try unsafe Libcrypto.derive(
          Libcrypto.x963, parameters, count: count, operation: "X9.63")
      }
    }
  }
}

/// Derives a key from a passcode, on purpose with much time and memory (RFC 7914).
///
/// libcrypto 3.0 wipes its scratch memory before it frees it. The process's sandbox keeps that
/// memory from being dumped.
package struct Scrypt: Equatable, Sendable {
  /// The cost N: a power of two, 2…2²⁰.
  package let cost: UInt64
  /// The block size r, 1…32.
  package let blockSize: UInt32
  /// The parallelism p, 1…16.
  package let parallelism: UInt32

  /// Nil if the parameters are out of range or need more than 1 GiB.
  package init?(cost: UInt64, blockSize: UInt32, parallelism: UInt32) {
    guard cost >= 2, cost <= 1 << 20, cost & (cost - 1) == 0, 1...32 ~= blockSize,
      1...16 ~= parallelism, 128 * cost * UInt64(blockSize) <= 1 << 30
    else { return nil }
    (self.cost, self.blockSize, self.parallelism) = (cost, blockSize, parallelism)
  }

  /// Scratch memory of one derivation, in bytes.
  package var memory: UInt64 {
    128 * UInt64(blockSize) * (cost + UInt64(parallelism) + 2)
  }

  /// Derives `count` bytes, 1…1,024.
  package func deriveKey(
    from passcode: Span<UInt8>, salt: [UInt8], count: Int
  ) throws(CryptographyError) -> SecretBytes {
    guard 1...1024 ~= count else { throw .invalidParameter(field: "count") }
    let numbers = [cost, UInt64(blockSize), UInt64(parallelism), memory + 1 << 20]
    return try unsafe passcode.withUnsafeBytes { (passcode) throws(CryptographyError) in
      try unsafe salt.span.withUnsafeBytes { (salt) throws(CryptographyError) in
        try unsafe numbers.span.withUnsafeBufferPointer { (numbers) throws(CryptographyError) in
          let parameters = unsafe [
            Libcrypto.octets("pass", passcode), Libcrypto.octets("salt", salt),
            Libcrypto.number("n", numbers, at: 0),
            Libcrypto.number("r", numbers, at: 1),
            Libcrypto.number("p", numbers, at: 2),
            Libcrypto.number("maxmem_bytes", numbers, at: 3),
          ]
          return try unsafe Libcrypto.derive(
            Libcrypto.scrypt, parameters, count: count, operation: "scrypt")
        }
      }
    }
  }
}

extension Scrypt: WireField {
  package func encode(into encoder: inout WireEncoder) {
    encoder.write(cost, blockSize, parallelism)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let (cost, blockSize, parallelism): (UInt64, UInt32, UInt32) = try decoder.read()
    guard let scrypt = Scrypt(cost: cost, blockSize: blockSize, parallelism: parallelism) else {
      throw .invalidValue(field: "scrypt parameters")
    }
    self = scrypt
  }
}

extension Scrypt {
  /// Stretches a passcode, password or passphrase before it enters a key.
  ///
  /// Its length goes in front of it, because HMAC inside scrypt pads keys with zeros: "a", and "a"
  /// with a zero byte behind it, would otherwise be equal.
  package func stretch(
    _ password: borrowing SecretBytes, salt: [UInt8]
  ) throws(CryptographyError) -> SecretBytes {
    var encoder = WireEncoder(capacity: password.count + 4)
    encoder.writeSecret(password)
    let input = encoder.finish()
    return try deriveKey(from: input.bytes, salt: salt, count: SymmetricKey.size)
  }
}
