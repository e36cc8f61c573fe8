import CLibcrypto
import Cryptography
import Protocol

/// A key in libcrypto's form. libcrypto wipes its secrets when it is freed (`EVP_PKEY_free(3)`).
@safe final class KeyObject: @unchecked Sendable {
  // Sendable: any number of threads may use an unchanged key, each with its own context
  // (openssl-threads(7)). Nothing here changes a key.
  private let key: OpaquePointer

  @unsafe private init(taking key: OpaquePointer) { unsafe self.key = key }

  deinit { unsafe EVP_PKEY_free(key) }

  /// A new random key.
  static func generate(_ kind: SoftwareKeyKind) throws(CryptographyError) -> KeyObject {
    let context = try KeyContext(family: kind.family)
    var bits = UInt64(kind.sizeInBits)
    let made = unsafe withUnsafePointer(to: &bits) { bits -> OpaquePointer? in
      let number = unsafe UnsafeBufferPointer(start: bits, count: 1)
      let parameter =
        switch kind {
        case .curve(let curve): unsafe Libcrypto.text("group", curve.libcryptoName)
        case .rsa: unsafe Libcrypto.number("bits", number, at: 0)
        }
      return unsafe context.generated([parameter])
    }
    guard let made = unsafe made else { throw Libcrypto.failure("key generation") }
    return unsafe KeyObject(taking: made)
  }

  /// Makes a key from its parts, which are not checked; if `isPrivate`, they include the private
  /// ones.
  /// - Throws: ``CryptographyError/invalidKey`` if libcrypto refuses them.
  @unsafe static func make(
    _ family: SoftwareKeyFamily, isPrivate: Bool, _ parts: [OSSL_PARAM]
  ) throws(CryptographyError) -> KeyObject {
    let context = try KeyContext(family: family)
    guard let made = unsafe context.made(of: parts, isPrivate: isPrivate) else {
      Libcrypto.forgetErrors()
      throw .invalidKey
    }
    return unsafe KeyObject(taking: made)
  }

  func context() throws(CryptographyError) -> KeyContext {
    try unsafe KeyContext(key: key)
  }

  /// Bits of a coordinate, or of the modulus.
  var sizeInBits: Int { unsafe Int(EVP_PKEY_get_bits(key)) }

  /// One of its numbers, big endian, padded with zeros to `count` bytes if that is given. It may be
  /// secret.
  func number(
    _ name: StaticString, count: Int? = nil
  ) throws(CryptographyError) -> SecretBytes {
    var found: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(key, Libcrypto.key(name), &found) == 1,
      let number = unsafe found
    else { throw Libcrypto.failure("number of a key") }
    defer { unsafe BN_clear_free(number) }
    let least = unsafe (Int(BN_num_bits(number)) + 7) / 8
    var bytes = SecretBytes(count: count ?? least)
    let written = unsafe bytes.withUnsafeMutableBytes { target in
      unsafe BN_bn2binpad(
        number, target.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(target.count))
    }
    guard written == bytes.count else { throw Libcrypto.failure("number of a key") }
    return bytes
  }

  /// The public point of a key on a curve, uncompressed.
  func point(on curve: EllipticCurve) throws(CryptographyError) -> [UInt8] {
    var point = [UInt8](repeating: 0, count: curve.pointSize)
    var count = 0
    let done = unsafe point.withUnsafeMutableBufferPointer { target in
      unsafe EVP_PKEY_get_octet_string_param(
        key, Libcrypto.key("pub"), target.baseAddress, target.count, &count)
    }
    guard done == 1, count == point.count, point[0] == 4 else {
      throw Libcrypto.failure("public point")
    }
    return point
  }

  /// Passes the key to `body`, as the other side of an operation.
  @unsafe func withPointer<Value>(_ body: (OpaquePointer) -> Value) -> Value { unsafe body(key) }
}

/// The numbers of a key in locked memory, in libcrypto's order: least significant byte first
/// (OSSL_PARAM(3)).
struct KeyParts: ~Copyable {
  private var bytes: SecretBytes
  private var used = 0
  private var numbers: [(name: StaticString, range: Range<Int>)] = []

  /// - Parameter capacity: the bytes of all numbers together.
  init(capacity: Int) { bytes = SecretBytes(count: capacity) }

  /// Appends a number, which is given big endian.
  mutating func append(_ name: StaticString, _ number: Span<UInt8>) {
    let range = used..<used + number.count
    used = range.upperBound
    unsafe bytes.withUnsafeMutableBytes { target in
      for index in number.indices {
        unsafe target[range.upperBound - 1 - index] = number[index]
      }
    }
    numbers.append((name, range))
  }

  /// Makes the key from these numbers and `others`.
  @unsafe mutating func key(
    _ family: SoftwareKeyFamily, isPrivate: Bool, with others: [OSSL_PARAM]
  ) throws(CryptographyError) -> KeyObject {
    let numbers = numbers
    return try unsafe bytes.withUnsafeMutableBytes { (bytes) throws(CryptographyError) in
      let parts = unsafe numbers.map { number in
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[number.range])
        return unsafe OSSL_PARAM_construct_BN(
          Libcrypto.key(number.name), part.baseAddress?.assumingMemoryBound(to: UInt8.self),
          part.count)
      }
      return try unsafe KeyObject.make(family, isPrivate: isPrivate, others + parts)
    }
  }
}
