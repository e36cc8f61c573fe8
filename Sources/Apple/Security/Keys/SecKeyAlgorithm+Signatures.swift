// The algorithms of keys on curves. The texts are Apple's.

extension SecKeyAlgorithm {
  // MARK: ECDSA signatures
  /// Of a hash of whatever function; r and s as long as a coordinate each (RFC 4754).
  public static let ecdsaSignatureRFC4754 = SecKeyAlgorithm("algid:sign:ECDSA:RFC4754")
  /// Of a hash of whatever function; r and s in DER (X9.62).
  public static let ecdsaSignatureDigestX962 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962")
  /// Of a SHA-1 hash; in DER.
  public static let ecdsaSignatureDigestX962SHA1 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-X962:SHA1")
  /// Of a SHA-224 hash; in DER.
  public static let ecdsaSignatureDigestX962SHA224 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-X962:SHA224")
  /// Of a SHA-256 hash; in DER.
  public static let ecdsaSignatureDigestX962SHA256 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-X962:SHA256")
  /// Of a SHA-384 hash; in DER.
  public static let ecdsaSignatureDigestX962SHA384 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-X962:SHA384")
  /// Of a SHA-512 hash; in DER.
  public static let ecdsaSignatureDigestX962SHA512 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-X962:SHA512")
  /// Of a message, hashed by SHA-1; in DER.
  public static let ecdsaSignatureMessageX962SHA1 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-X962:SHA1")
  /// Of a message, hashed by SHA-224; in DER.
  public static let ecdsaSignatureMessageX962SHA224 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-X962:SHA224")
  /// Of a message, hashed by SHA-256; in DER.
  public static let ecdsaSignatureMessageX962SHA256 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-X962:SHA256")
  /// Of a message, hashed by SHA-384; in DER.
  public static let ecdsaSignatureMessageX962SHA384 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-X962:SHA384")
  /// Of a message, hashed by SHA-512; in DER.
  public static let ecdsaSignatureMessageX962SHA512 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-X962:SHA512")
  /// The same as ``ecdsaSignatureRFC4754``, as it is called since.
  public static let ecdsaSignatureDigestRFC4754 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754")
  /// Of a SHA-1 hash; r and s as long as a coordinate each.
  public static let ecdsaSignatureDigestRFC4754SHA1 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-RFC4754:SHA1")
  /// Of a SHA-224 hash; r and s as long as a coordinate each.
  public static let ecdsaSignatureDigestRFC4754SHA224 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-RFC4754:SHA224")
  /// Of a SHA-256 hash; r and s as long as a coordinate each.
  public static let ecdsaSignatureDigestRFC4754SHA256 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-RFC4754:SHA256")
  /// Of a SHA-384 hash; r and s as long as a coordinate each.
  public static let ecdsaSignatureDigestRFC4754SHA384 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-RFC4754:SHA384")
  /// Of a SHA-512 hash; r and s as long as a coordinate each.
  public static let ecdsaSignatureDigestRFC4754SHA512 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-RFC4754:SHA512")
  /// Of a message, hashed by SHA-1; r and s as long as a coordinate each.
  public static let ecdsaSignatureMessageRFC4754SHA1 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-RFC4754:SHA1")
  /// Of a message, hashed by SHA-224; r and s as long as a coordinate each.
  public static let ecdsaSignatureMessageRFC4754SHA224 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-RFC4754:SHA224")
  /// Of a message, hashed by SHA-256; r and s as long as a coordinate each.
  public static let ecdsaSignatureMessageRFC4754SHA256 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-RFC4754:SHA256")
  /// Of a message, hashed by SHA-384; r and s as long as a coordinate each.
  public static let ecdsaSignatureMessageRFC4754SHA384 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-RFC4754:SHA384")
  /// Of a message, hashed by SHA-512; r and s as long as a coordinate each.
  public static let ecdsaSignatureMessageRFC4754SHA512 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-RFC4754:SHA512")
}
