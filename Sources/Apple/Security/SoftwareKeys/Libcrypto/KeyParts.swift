import CLibcrypto
import Cryptography
import Protocol

/// The numbers that a key is made of, in locked memory, as libcrypto wants them: least significant
/// byte first (OSSL_PARAM(3)).
struct KeyParts: ~Copyable {
  private var bytes: SecretBytes
  private var used = 0
  private var numbers: [(name: StaticString, range: Range<Int>)] = []

  /// Room for numbers of this many bytes together.
  init(capacity: Int) { bytes = SecretBytes(count: capacity) }

  /// A number, given big endian.
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

  /// Makes the key, of these numbers and what `others` there are.
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
