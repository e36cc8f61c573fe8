import CLibcrypto
import Cryptography
import Protocol

/// The numbers of an RSA private key in libcrypto's form, wiped with the value.
@safe final class RSANumbers {
  private var numbers: [OpaquePointer] = unsafe []
  private let context: OpaquePointer

  /// Reads them from a key. `names` are those of modulus, public and private exponent, primes,
  /// their exponents and the coefficient, in the order of RFC 8017 A.1.2.
  init(of key: KeyObject, named names: [StaticString]) throws(CryptographyError) {
    guard let context = unsafe BN_CTX_secure_new() else { throw Libcrypto.failure("BN") }
    unsafe self.context = context
    for name in names {
      let bytes = try key.number(name)
      let number = unsafe bytes.withUnsafeBytes {
        unsafe BN_bin2bn(
          $0.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32($0.count), BN_secure_new())
      }
      guard let number = unsafe number else { throw Libcrypto.failure("BN") }
      unsafe numbers.append(number)
    }
  }

  deinit {
    unsafe numbers.forEach { unsafe BN_clear_free($0) }
    unsafe BN_CTX_free(context)
  }

  /// Whether they meet RFC 8017 §3.2, except that the primes are not tested: that takes as long as
  /// making a key, and the provider of a private key knows it anyway.
  var belongTogether: Bool {
    let (modulus, exponent, secret) = unsafe (numbers[0], numbers[1], numbers[2])
    let (first, second) = unsafe (numbers[3], numbers[4])
    return unsafe isProduct(modulus, first, second)
      && isExponent(numbers[5], of: first, exponent, secret)
      && isExponent(numbers[6], of: second, exponent, secret)
      && isInverse(numbers[7], second, modulo: first)
  }

  @unsafe private func withNumber(_ body: (OpaquePointer) -> Bool) -> Bool {
    guard let number = unsafe BN_secure_new() else { return false }
    defer { unsafe BN_clear_free(number) }
    return unsafe body(number)
  }

  @unsafe private func isProduct(
    _ product: OpaquePointer, _ left: OpaquePointer, _ right: OpaquePointer
  ) -> Bool {
    unsafe withNumber { unsafe BN_mul($0, left, right, context) == 1 && BN_cmp($0, product) == 0 }
  }

  @unsafe private func isInverse(
    _ inverse: OpaquePointer, _ number: OpaquePointer, modulo modulus: OpaquePointer
  ) -> Bool {
    unsafe withNumber {
      unsafe BN_mod_mul($0, inverse, number, modulus, context) == 1 && BN_is_one($0) == 1
    }
  }

  /// Whether it is the private exponent modulo a prime less one, and the inverse of the public
  /// exponent there.
  @unsafe private func isExponent(
    _ found: OpaquePointer, of prime: OpaquePointer, _ exponent: OpaquePointer,
    _ secret: OpaquePointer
  ) -> Bool {
    unsafe withNumber { less in
      guard unsafe BN_copy(less, prime) != nil, unsafe BN_sub_word(less, 1) == 1,
        unsafe BN_is_zero(less) == 0, unsafe isInverse(found, exponent, modulo: less)
      else { return false }
      return unsafe withNumber {
        unsafe BN_div(nil, $0, secret, less, context) == 1 && BN_cmp($0, found) == 0
      }
    }
  }
}

/// RSA without padding (RFC 8017 §5): numbers to numbers.
enum RSAPrimitive {
  /// Raises a number to the private exponent. A shorter number than the modulus is padded with
  /// zeros.
  /// - Returns: as many bytes as the modulus has, or nil if the number is not below it.
  static func applyPrivate(
    _ key: KeyObject, _ number: Span<UInt8>
  ) throws(CryptographyError) -> SecretBytes? {
    try apply(.decrypt, key, number)
  }

  /// Raises a number to the public exponent; otherwise like ``applyPrivate(_:_:)``.
  static func applyPublic(
    _ key: KeyObject, _ number: Span<UInt8>
  ) throws(CryptographyError) -> SecretBytes? {
    try apply(.encrypt, key, number)
  }

  private static func apply(
    _ transformation: KeyContext.Transformation, _ key: KeyObject, _ number: Span<UInt8>
  ) throws(CryptographyError) -> SecretBytes? {
    let size = (key.sizeInBits + 7) / 8
    guard let block = padded(number, to: size) else { return nil }
    return try unsafe key.context().run(transformation, block.bytes, longest: size) {
      unsafe EVP_PKEY_CTX_set_rsa_padding($0, RSA_NO_PADDING) == 1
    }
  }

  /// A number padded with zeros to `size` bytes, or nil if it is longer.
  static func padded(_ number: Span<UInt8>, to size: Int) -> SecretBytes? {
    guard number.count <= size else { return nil }
    var block = SecretBytes(count: size)
    block.copy(number, at: size - number.count)
    return block
  }

  /// Whether the public half reverses the private half.
  static func isPair(_ key: KeyObject) throws(CryptographyError) -> Bool {
    guard let raised = try applyPrivate(key, ([2] as [UInt8]).span),
      let back = try applyPublic(key, raised.bytes)
    else { return false }
    let count = back.count
    return (0..<count).allSatisfy { back.bytes[$0] == ($0 == count - 1 ? 2 : 0) }
  }
}
