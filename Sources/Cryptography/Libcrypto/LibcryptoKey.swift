import CLibcrypto
import Wire

/// A key in libcrypto's form for as long as one operation takes; wiped with the value.
@safe struct LibcryptoKey: ~Copyable {
  private let key: OpaquePointer

  init(_ key: borrowing P256PrivateKey) throws(CryptographyError) {
    // libcrypto takes integers in the machine's byte order, which is little endian wherever Debian
    // 12 runs Swift.
    var scalar = SecretBytes(count: key.scalar.count)
    let size = scalar.count
    unsafe scalar.withUnsafeMutableBytes { target in
      for index in 0..<size { unsafe target[size - 1 - index] = key.scalar.bytes[index] }
    }
    let point = key.publicKey.point
    unsafe self.key = try unsafe scalar.withUnsafeBytes { (scalar) throws(CryptographyError) in
      try unsafe point.span.withUnsafeBytes { (point) throws(CryptographyError) in
        try unsafe Self.load(
          [
            OSSL_PARAM_construct_BN(
              Libcrypto.key("priv"),
              UnsafeMutableRawPointer(mutating: scalar.baseAddress)?
                .assumingMemoryBound(to: UInt8.self), scalar.count),
            Libcrypto.octets("pub", point),
          ], selection: ac_key_pair)
      }
    }
  }

  init(_ key: P256PublicKey) throws(CryptographyError) {
    unsafe self.key = try unsafe key.point.span.withUnsafeBytes {
      (point) throws(CryptographyError) in
      try unsafe Self.load([Libcrypto.octets("pub", point)], selection: ac_public_key)
    }
  }

  @unsafe private static func load(
    _ parameters: [OSSL_PARAM], selection: Int32
  ) throws(CryptographyError) -> OpaquePointer {
    guard unsafe Libcrypto.p256 != nil,
      let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
    else { throw Libcrypto.failure("P-256") }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var all = unsafe [Libcrypto.text("group", "P-256")] + parameters + [OSSL_PARAM_construct_end()]
    var key: OpaquePointer?
    let loaded = unsafe all.withUnsafeMutableBufferPointer {
      unsafe EVP_PKEY_fromdata_init(context) == 1
        && EVP_PKEY_fromdata(context, &key, selection, $0.baseAddress) == 1
    }
    guard loaded, let key = unsafe key else { throw Libcrypto.failure("P-256") }
    return unsafe key
  }

  /// An ECDSA signature in DER.
  borrowing func signature(forHash hash: [UInt8]) throws(CryptographyError) -> [UInt8] {
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
      throw Libcrypto.failure("ECDSA")
    }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: 80)
    var count = signature.count
    let done = unsafe signature.withUnsafeMutableBufferPointer { target in
      unsafe hash.withUnsafeBufferPointer { hash in
        unsafe EVP_PKEY_sign_init(context) == 1
          && EVP_PKEY_sign(context, target.baseAddress, &count, hash.baseAddress, hash.count) == 1
      }
    }
    guard done else { throw Libcrypto.failure("ECDSA") }
    return Array(signature[..<count])
  }

  /// Whether a signature in DER fits; one that is no DER does not.
  borrowing func isValid(
    _ signature: [UInt8], forHash hash: [UInt8]
  ) throws(CryptographyError) -> Bool {
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil),
      unsafe EVP_PKEY_verify_init(context) == 1
    else { throw Libcrypto.failure("ECDSA") }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    let fits = unsafe signature.withUnsafeBufferPointer { signature in
      unsafe hash.withUnsafeBufferPointer { hash in
        unsafe EVP_PKEY_verify(
          context, signature.baseAddress, signature.count, hash.baseAddress, hash.count) == 1
      }
    }
    if !fits { Libcrypto.forgetErrors() }
    return fits
  }

  /// The x coordinate of the product of both keys.
  borrowing func sharedSecret(
    with other: borrowing LibcryptoKey
  ) throws(CryptographyError) -> SecretBytes {
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
      throw Libcrypto.failure("ECDH")
    }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var secret = SecretBytes(count: P256PrivateKey.size)
    var count = secret.count
    let done = unsafe secret.withUnsafeMutableBytes { target in
      unsafe EVP_PKEY_derive_init(context) == 1
        && EVP_PKEY_derive_set_peer(context, other.key) == 1
        && EVP_PKEY_derive(
          context, target.baseAddress?.assumingMemoryBound(to: UInt8.self), &count) == 1
    }
    guard done, count == secret.count else { throw Libcrypto.failure("ECDH") }
    return secret
  }

  deinit { unsafe EVP_PKEY_free(key) }
}
