import CLibcrypto
package import Protocol

/// One side of a Diffie-Hellman exchange in the second Oakley group (RFC 2409 §6.2), for the Secret
/// Service of freedesktop.org only. Its 1,024 bits do not withstand an attacker with time.
package struct OakleyGroup2: ~Copyable {
  /// Bytes of every number.
  package static let size = 128

  private let exponent: SecretBytes
  /// For the other side, in ``size`` bytes.
  package let publicValue: [UInt8]

  package init() throws(CryptographyError) {
    // One byte shorter than the group's order, and so always below it.
    let exponent = try RandomBytes.secret(count: Self.size - 1)
    let generator = [UInt8](repeating: 0, count: Self.size - 1) + [2]
    publicValue = try Self.power(of: generator, exponent).copied
    self.exponent = exponent
  }

  /// In ``size`` bytes.
  /// - Throws: ``CryptographyError/invalidKey`` for a value that would reveal the secret: 0, 1, the
  ///   prime minus 1, and numbers that are not below the prime.
  package borrowing func sharedSecret(
    with other: [UInt8]
  ) throws(CryptographyError) -> SecretBytes {
    guard other.count <= Self.size else { throw .invalidKey }
    return try Self.power(of: other, exponent)
  }

  private static func power(
    of base: [UInt8], _ exponent: borrowing SecretBytes
  ) throws(CryptographyError) -> SecretBytes {
    guard let prime = unsafe BN_get_rfc2409_prime_1024(nil),
      let context = unsafe BN_CTX_secure_new()
    else { throw Libcrypto.failure("Diffie-Hellman") }
    defer {
      unsafe BN_free(prime)
      unsafe BN_CTX_free(context)
    }
    guard let number = unsafe BN_bin2bn(base, Int32(base.count), nil),
      let secret = unsafe BN_secure_new(), let result = unsafe BN_secure_new()
    else { throw Libcrypto.failure("Diffie-Hellman") }
    defer {
      unsafe BN_free(number)
      unsafe BN_clear_free(secret)
      unsafe BN_clear_free(result)
    }
    // Between 2 and the prime − 2.
    let isUsable =
      unsafe BN_sub_word(prime, 1) == 1 && BN_cmp(number, prime) < 0
      && BN_is_one(number) == 0 && BN_is_zero(number) == 0 && BN_add_word(prime, 1) == 1
    guard isUsable else { throw .invalidKey }
    let isRead = unsafe exponent.withUnsafeBytes {
      unsafe BN_bin2bn(
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32($0.count), secret) != nil
    }
    unsafe BN_set_flags(secret, BN_FLG_CONSTTIME)
    guard isRead,
      unsafe BN_mod_exp_mont_consttime(result, number, secret, prime, context, nil) == 1
    else { throw Libcrypto.failure("Diffie-Hellman") }
    var power = SecretBytes(count: size)
    let count = unsafe power.withUnsafeMutableBytes { target in
      unsafe BN_bn2binpad(
        result, target.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(target.count))
    }
    guard Int(count) == size else { throw Libcrypto.failure("Diffie-Hellman") }
    return power
  }
}

/// AES-128-CBC with the padding of PKCS #7 (SP 800-38A, RFC 5652 §6.3), for data of other programs.
/// Authenticates nothing.
package enum AES128CBC {
  /// Bytes of the key and of the initialization vector.
  package static let size = 16

  /// Decrypts into locked memory.
  /// - Throws: ``CryptographyError/notAuthentic`` if the padding is wrong.
  package static func decrypt(
    _ sealed: Span<UInt8>, key: borrowing SecretBytes, vector: [UInt8]
  ) throws(CryptographyError) -> SecretBytes {
    guard key.count == size else {
      throw .wrongSize(field: "key", expected: size, found: key.count)
    }
    guard vector.count == size else {
      throw .wrongSize(field: "initialization vector", expected: size, found: vector.count)
    }
    guard sealed.count > 0, sealed.count.isMultiple(of: size), sealed.count <= 1 << 30 else {
      throw .notAuthentic
    }
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw Libcrypto.failure("AES-CBC") }
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    let started = unsafe key.withUnsafeBytes { key in
      unsafe EVP_CipherInit_ex2(
        context, Libcrypto.aes128CBC, key.baseAddress?.assumingMemoryBound(to: UInt8.self), vector,
        0, nil)
    }
    guard started == 1 else { throw Libcrypto.failure("AES-CBC") }
    var plain = SecretBytes(count: sealed.count)
    var (count, rest): (Int32, Int32) = (0, 0)
    let isWhole = unsafe plain.withUnsafeMutableBytes { target in
      unsafe sealed.withUnsafeBufferPointer { sealed in
        let start = unsafe target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard
          unsafe EVP_CipherUpdate(
            context, start, &count, sealed.baseAddress, Int32(sealed.count)) == 1
        else { return false }
        return unsafe EVP_CipherFinal_ex(context, start.map { unsafe $0 + Int(count) }, &rest) == 1
      }
    }
    guard isWhole else {
      Libcrypto.forgetErrors()
      throw .notAuthentic
    }
    return plain.extracting(0..<Int(count + rest))
  }
}
