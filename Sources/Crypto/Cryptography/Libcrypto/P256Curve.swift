import CLibcrypto
import Protocol

/// Arithmetic on the curve P-256 that has no key object yet.
enum P256Curve {
  /// `scalar` times the generator, uncompressed; nil when the scalar is not in 1…n−1.
  ///
  /// libcrypto multiplies secret scalars in constant time on this curve. `scalar` has 32 bytes, big
  /// endian.
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
    var encoded = [UInt8](repeating: 0, count: P256PublicKey.size)
    let written = unsafe encoded.withUnsafeMutableBufferPointer {
      unsafe EC_POINT_point2oct(
        curve, point, POINT_CONVERSION_UNCOMPRESSED, $0.baseAddress, $0.count, nil)
    }
    guard written == encoded.count else { throw Libcrypto.failure("P-256") }
    return encoded
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

  /// The point of 65 bytes, for the caller to free; nil where they are none of the curve, or its
  /// infinity. The order of P-256 is prime, so any other point generates all of it.
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
