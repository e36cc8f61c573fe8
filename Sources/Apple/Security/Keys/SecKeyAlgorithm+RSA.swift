// The algorithms of RSA keys. The texts are Apple's, down to the length of a salt that one of them
// states wrongly: it is always as long as a hash.

extension SecKeyAlgorithm {
  // MARK: Signatures
  /// The input as it is, as a number.
  public static let rsaSignatureRaw = SecKeyAlgorithm("algid:sign:RSA:raw")
  /// PKCS #1 v1.5 without saying of which hash function the input is.
  public static let rsaSignatureDigestPKCS1v15Raw = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PKCS1v15")
  /// PKCS #1 v1.5 of a SHA-1 hash.
  public static let rsaSignatureDigestPKCS1v15SHA1 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PKCS1v15:SHA1")
  /// PKCS #1 v1.5 of a SHA-224 hash.
  public static let rsaSignatureDigestPKCS1v15SHA224 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PKCS1v15:SHA224")
  /// PKCS #1 v1.5 of a SHA-256 hash.
  public static let rsaSignatureDigestPKCS1v15SHA256 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PKCS1v15:SHA256")
  /// PKCS #1 v1.5 of a SHA-384 hash.
  public static let rsaSignatureDigestPKCS1v15SHA384 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PKCS1v15:SHA384")
  /// PKCS #1 v1.5 of a SHA-512 hash.
  public static let rsaSignatureDigestPKCS1v15SHA512 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PKCS1v15:SHA512")
  /// PKCS #1 v1.5 of a message, hashed by SHA-1.
  public static let rsaSignatureMessagePKCS1v15SHA1 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PKCS1v15:SHA1")
  /// PKCS #1 v1.5 of a message, hashed by SHA-224.
  public static let rsaSignatureMessagePKCS1v15SHA224 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PKCS1v15:SHA224")
  /// PKCS #1 v1.5 of a message, hashed by SHA-256.
  public static let rsaSignatureMessagePKCS1v15SHA256 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PKCS1v15:SHA256")
  /// PKCS #1 v1.5 of a message, hashed by SHA-384.
  public static let rsaSignatureMessagePKCS1v15SHA384 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PKCS1v15:SHA384")
  /// PKCS #1 v1.5 of a message, hashed by SHA-512.
  public static let rsaSignatureMessagePKCS1v15SHA512 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PKCS1v15:SHA512")
  /// PSS of a SHA-1 hash.
  public static let rsaSignatureDigestPSSSHA1 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PSS:SHA1:SHA1:20")
  /// PSS of a SHA-224 hash.
  public static let rsaSignatureDigestPSSSHA224 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PSS:SHA224:SHA224:24")
  /// PSS of a SHA-256 hash.
  public static let rsaSignatureDigestPSSSHA256 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PSS:SHA256:SHA256:32")
  /// PSS of a SHA-384 hash.
  public static let rsaSignatureDigestPSSSHA384 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PSS:SHA384:SHA384:48")
  /// PSS of a SHA-512 hash.
  public static let rsaSignatureDigestPSSSHA512 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PSS:SHA512:SHA512:64")
  /// PSS of a message, hashed by SHA-1.
  public static let rsaSignatureMessagePSSSHA1 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PSS:SHA1:SHA1:20")
  /// PSS of a message, hashed by SHA-224.
  public static let rsaSignatureMessagePSSSHA224 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PSS:SHA224:SHA224:24")
  /// PSS of a message, hashed by SHA-256.
  public static let rsaSignatureMessagePSSSHA256 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PSS:SHA256:SHA256:32")
  /// PSS of a message, hashed by SHA-384.
  public static let rsaSignatureMessagePSSSHA384 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PSS:SHA384:SHA384:48")
  /// PSS of a message, hashed by SHA-512.
  public static let rsaSignatureMessagePSSSHA512 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PSS:SHA512:SHA512:64")

  // MARK: Encryption
  /// The input as it is, as a number.
  public static let rsaEncryptionRaw = SecKeyAlgorithm("algid:encrypt:RSA:raw")
  /// PKCS #1 v1.5. Whoever decrypts must tell nobody whether that went well.
  public static let rsaEncryptionPKCS1 = SecKeyAlgorithm("algid:encrypt:RSA:PKCS1")
  /// OAEP with SHA-1.
  public static let rsaEncryptionOAEPSHA1 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA1")
  /// OAEP with SHA-224.
  public static let rsaEncryptionOAEPSHA224 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA224")
  /// OAEP with SHA-256.
  public static let rsaEncryptionOAEPSHA256 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA256")
  /// OAEP with SHA-384.
  public static let rsaEncryptionOAEPSHA384 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA384")
  /// OAEP with SHA-512.
  public static let rsaEncryptionOAEPSHA512 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA512")
  /// AES-GCM under a random key, which OAEP with SHA-1 wraps: of any length.
  public static let rsaEncryptionOAEPSHA1AESGCM = SecKeyAlgorithm(
    "algid:encrypt:RSA:OAEP:SHA1:AESGCM")
  /// AES-GCM under a random key, which OAEP with SHA-224 wraps: of any length.
  public static let rsaEncryptionOAEPSHA224AESGCM = SecKeyAlgorithm(
    "algid:encrypt:RSA:OAEP:SHA224:AESGCM")
  /// AES-GCM under a random key, which OAEP with SHA-256 wraps: of any length.
  public static let rsaEncryptionOAEPSHA256AESGCM = SecKeyAlgorithm(
    "algid:encrypt:RSA:OAEP:SHA256:AESGCM")
  /// AES-GCM under a random key, which OAEP with SHA-384 wraps: of any length.
  public static let rsaEncryptionOAEPSHA384AESGCM = SecKeyAlgorithm(
    "algid:encrypt:RSA:OAEP:SHA384:AESGCM")
  /// AES-GCM under a random key, which OAEP with SHA-512 wraps: of any length.
  public static let rsaEncryptionOAEPSHA512AESGCM = SecKeyAlgorithm(
    "algid:encrypt:RSA:OAEP:SHA512:AESGCM")
}
