import CLibcrypto
import Cryptography
import Protocol

/// RSA without padding (RFC 8017 §5): numbers to numbers.
enum RSAPrimitive {
  /// Raises a number to the private exponent. What is shorter than the modulus has zeros in front.
  /// - Returns: as many bytes as the modulus has; nil where the number is not below it.
  static func applyPrivate(
    _ key: KeyObject, _ number: Span<UInt8>
  ) throws(CryptographyError) -> SecretBytes? {
    try apply(.decrypt, key, number)
  }

  /// Raises a number to the public exponent; otherwise the same.
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

  /// A number with zeros in front, up to `size` bytes; nil where it is longer.
  static func padded(_ number: Span<UInt8>, to size: Int) -> SecretBytes? {
    guard number.count <= size else { return nil }
    var writer = SecretWriter(capacity: size)
    writer.append([UInt8](repeating: 0, count: size - number.count).span)
    writer.append(number)
    return writer.finish()
  }

  /// Whether the public half undoes what the private half does.
  static func isPair(_ key: KeyObject) throws(CryptographyError) -> Bool {
    guard let raised = try applyPrivate(key, ([2] as [UInt8]).span),
      let back = try applyPublic(key, raised.bytes)
    else { return false }
    let count = back.count
    return (0..<count).allSatisfy { back.bytes[$0] == ($0 == count - 1 ? 2 : 0) }
  }
}
