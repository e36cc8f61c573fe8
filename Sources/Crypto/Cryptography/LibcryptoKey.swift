import CLibcrypto
import Protocol

/// A key in libcrypto's form, for one operation; wiped with the value.
@safe struct LibcryptoKey: ~Copyable {
  private let key: OpaquePointer

  /// A private key without its public half, which no operation needs.
  init(_ key: borrowing P256PrivateKey) throws(CryptographyError) {
    unsafe self.key = try unsafe Self.make { target in
      guard let number = unsafe BN_secure_new() else { return false }
      defer { unsafe BN_clear_free(number) }
      let read = unsafe key.scalar.withUnsafeBytes {
        unsafe BN_bin2bn(
          $0.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32($0.count), number) != nil
      }
      return unsafe read && EC_KEY_set_private_key(target, number) == 1
    }
  }

  init(_ key: P256PublicKey) throws(CryptographyError) {
    unsafe self.key = try unsafe Self.make { target in
      guard let point = unsafe P256Curve.point(key.point) else { return false }
      defer { unsafe EC_POINT_free(point) }
      return unsafe EC_KEY_set_public_key(target, point) == 1
    }
  }

  @unsafe private static func make(
    _ fill: (OpaquePointer) -> Bool
  ) throws(CryptographyError) -> OpaquePointer {
    guard let key = unsafe EC_KEY_new() else { throw Libcrypto.failure("P-256") }
    guard unsafe EC_KEY_set_group(key, Libcrypto.p256) == 1, unsafe fill(key) else {
      unsafe EC_KEY_free(key)
      throw Libcrypto.failure("P-256")
    }
    return unsafe key
  }

  /// An ECDSA signature in DER.
  borrowing func signature(forHash hash: [UInt8]) throws(CryptographyError) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: 80)
    var count = UInt32(signature.count)
    let done = unsafe signature.withUnsafeMutableBufferPointer { target in
      unsafe hash.withUnsafeBufferPointer { hash in
        unsafe ECDSA_sign(0, hash.baseAddress, Int32(hash.count), target.baseAddress, &count, key)
      }
    }
    guard done == 1 else { throw Libcrypto.failure("ECDSA") }
    return Array(signature[..<Int(count)])
  }

  /// Checks a signature in DER.
  borrowing func isValid(_ signature: [UInt8], forHash hash: [UInt8]) -> Bool {
    let fits = unsafe signature.withUnsafeBufferPointer { signature in
      unsafe hash.withUnsafeBufferPointer { hash in
        unsafe ECDSA_verify(
          0, hash.baseAddress, Int32(hash.count), signature.baseAddress, Int32(signature.count),
          key) == 1
      }
    }
    if !fits { Libcrypto.forgetErrors() }
    return fits
  }

  borrowing func sharedSecret(
    with other: P256PublicKey
  ) throws(CryptographyError) -> SecretBytes {
    guard let point = unsafe P256Curve.point(other.point) else { throw .invalidKey }
    defer { unsafe EC_POINT_free(point) }
    var secret = SecretBytes(count: P256PrivateKey.size)
    let count = unsafe secret.withUnsafeMutableBytes { target in
      unsafe ECDH_compute_key(target.baseAddress, target.count, point, key, nil)
    }
    guard Int(count) == secret.count else { throw Libcrypto.failure("ECDH") }
    return secret
  }

  deinit { unsafe EC_KEY_free(key) }
}

/// Arithmetic on the curve P-256 without key objects.
enum P256Curve {
  /// `scalar` times the generator, uncompressed; nil if the scalar is not in 1…n−1.
  ///
  /// Takes constant time on this curve. `scalar` has 32 bytes, big endian.
  static func publicPoint(
    of scalar: borrowing SecretBytes
  ) throws(CryptographyError) -> [UInt8]? {
    guard let curve = unsafe Libcrypto.p256, let number = unsafe BN_secure_new() else {
      throw Libcrypto.failure("P-256")
    }
    defer { unsafe BN_clear_free(number) }
    let read = unsafe scalar.withUnsafeBytes {
      unsafe BN_bin2bn(
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32($0.count), number)
    }
    guard unsafe read != nil else { throw Libcrypto.failure("P-256") }
    guard unsafe BN_is_zero(number) == 0, unsafe BN_cmp(number, EC_GROUP_get0_order(curve)) < 0
    else { return nil }
    guard let point = unsafe EC_POINT_new(curve) else { throw Libcrypto.failure("P-256") }
    defer { unsafe EC_POINT_clear_free(point) }
    guard unsafe EC_POINT_mul(curve, point, number, nil, nil, nil) == 1 else {
      throw Libcrypto.failure("P-256")
    }
    return try unsafe uncompressed(point)
  }

  @unsafe private static func uncompressed(
    _ point: OpaquePointer
  ) throws(CryptographyError) -> [UInt8] {
    var encoded = [UInt8](repeating: 0, count: P256PublicKey.size)
    let written = unsafe encoded.withUnsafeMutableBufferPointer {
      unsafe EC_POINT_point2oct(
        Libcrypto.p256, point, POINT_CONVERSION_UNCOMPRESSED, $0.baseAddress, $0.count, nil)
    }
    guard written == encoded.count else { throw Libcrypto.failure("P-256") }
    return encoded
  }

  /// The uncompressed form of a point in its compressed form; nil if it is not on the curve.
  static func expanded(_ compressed: [UInt8]) throws(CryptographyError) -> [UInt8]? {
    guard unsafe Libcrypto.p256 != nil else { throw Libcrypto.failure("P-256") }
    guard let point = unsafe point(compressed) else {
      Libcrypto.forgetErrors()
      return nil
    }
    defer { unsafe EC_POINT_free(point) }
    return try unsafe uncompressed(point)
  }

  /// Whether 65 bytes are a point of the curve in its uncompressed form.
  static func contains(_ encoded: [UInt8]) throws(CryptographyError) -> Bool {
    guard unsafe Libcrypto.p256 != nil else { throw Libcrypto.failure("P-256") }
    guard let point = unsafe point(encoded) else {
      Libcrypto.forgetErrors()
      return false
    }
    unsafe EC_POINT_free(point)
    return true
  }

  /// The point of an encoding (SEC 1 §2.3.4), which the caller frees; nil if it is not on the curve, or the infinity.
  /// The order of P-256 is prime, so any other point generates the group.
  @unsafe static func point(_ encoded: [UInt8]) -> OpaquePointer? {
    guard let curve = unsafe Libcrypto.p256, let point = unsafe EC_POINT_new(curve) else {
      return nil
    }
    let read = unsafe encoded.withUnsafeBufferPointer {
      unsafe EC_POINT_oct2point(curve, point, $0.baseAddress, $0.count, nil)
    }
    guard read == 1, unsafe EC_POINT_is_at_infinity(curve, point) == 0 else {
      unsafe EC_POINT_free(point)
      return nil
    }
    return unsafe point
  }
}
