// What keys on curves agree on and encrypt with. The texts are Apple's. `Standard` and `Cofactor` are
// the same on curves whose cofactor is 1, which all of these are.

extension SecKeyAlgorithm {
  // MARK: Diffie-Hellman
  /// The shared x coordinate as it is.
  public static let ecdhKeyExchangeStandard = SecKeyAlgorithm("algid:keyexchange:ECDH")
  /// What X9.63 with SHA-1 makes of the shared x coordinate.
  public static let ecdhKeyExchangeStandardX963SHA1 = SecKeyAlgorithm(
    "algid:keyexchange:ECDH:KDFX963:SHA1")
  /// What X9.63 with SHA-224 makes of the shared x coordinate.
  public static let ecdhKeyExchangeStandardX963SHA224 = SecKeyAlgorithm(
    "algid:keyexchange:ECDH:KDFX963:SHA224")
  /// What X9.63 with SHA-256 makes of the shared x coordinate.
  public static let ecdhKeyExchangeStandardX963SHA256 = SecKeyAlgorithm(
    "algid:keyexchange:ECDH:KDFX963:SHA256")
  /// What X9.63 with SHA-384 makes of the shared x coordinate.
  public static let ecdhKeyExchangeStandardX963SHA384 = SecKeyAlgorithm(
    "algid:keyexchange:ECDH:KDFX963:SHA384")
  /// What X9.63 with SHA-512 makes of the shared x coordinate.
  public static let ecdhKeyExchangeStandardX963SHA512 = SecKeyAlgorithm(
    "algid:keyexchange:ECDH:KDFX963:SHA512")
  /// The shared x coordinate as it is.
  public static let ecdhKeyExchangeCofactor = SecKeyAlgorithm("algid:keyexchange:ECDHC")
  /// What X9.63 with SHA-1 makes of the shared x coordinate.
  public static let ecdhKeyExchangeCofactorX963SHA1 = SecKeyAlgorithm(
    "algid:keyexchange:ECDHC:KDFX963:SHA1")
  /// What X9.63 with SHA-224 makes of the shared x coordinate.
  public static let ecdhKeyExchangeCofactorX963SHA224 = SecKeyAlgorithm(
    "algid:keyexchange:ECDHC:KDFX963:SHA224")
  /// What X9.63 with SHA-256 makes of the shared x coordinate.
  public static let ecdhKeyExchangeCofactorX963SHA256 = SecKeyAlgorithm(
    "algid:keyexchange:ECDHC:KDFX963:SHA256")
  /// What X9.63 with SHA-384 makes of the shared x coordinate.
  public static let ecdhKeyExchangeCofactorX963SHA384 = SecKeyAlgorithm(
    "algid:keyexchange:ECDHC:KDFX963:SHA384")
  /// What X9.63 with SHA-512 makes of the shared x coordinate.
  public static let ecdhKeyExchangeCofactorX963SHA512 = SecKeyAlgorithm(
    "algid:keyexchange:ECDHC:KDFX963:SHA512")

  // MARK: ECIES
  /// AES-GCM under a key of X9.63 with SHA-1; the nonce is zero.
  public static let eciesEncryptionStandardX963SHA1AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM")
  /// AES-GCM under a key of X9.63 with SHA-224; the nonce is zero.
  public static let eciesEncryptionStandardX963SHA224AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM")
  /// AES-GCM under a key of X9.63 with SHA-256; the nonce is zero.
  public static let eciesEncryptionStandardX963SHA256AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM")
  /// AES-GCM under a key of X9.63 with SHA-384; the nonce is zero.
  public static let eciesEncryptionStandardX963SHA384AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM")
  /// AES-GCM under a key of X9.63 with SHA-512; the nonce is zero.
  public static let eciesEncryptionStandardX963SHA512AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM")
  /// AES-GCM under a key of X9.63 with SHA-1; the nonce is zero.
  public static let eciesEncryptionCofactorX963SHA1AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM")
  /// AES-GCM under a key of X9.63 with SHA-224; the nonce is zero.
  public static let eciesEncryptionCofactorX963SHA224AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM")
  /// AES-GCM under a key of X9.63 with SHA-256; the nonce is zero.
  public static let eciesEncryptionCofactorX963SHA256AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM")
  /// AES-GCM under a key of X9.63 with SHA-384; the nonce is zero.
  public static let eciesEncryptionCofactorX963SHA384AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM")
  /// AES-GCM under a key of X9.63 with SHA-512; the nonce is zero.
  public static let eciesEncryptionCofactorX963SHA512AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM")
  /// AES-GCM under a key and with a nonce of X9.63 with SHA-224.
  public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV")
  /// AES-GCM under a key and with a nonce of X9.63 with SHA-256.
  public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV")
  /// AES-GCM under a key and with a nonce of X9.63 with SHA-384.
  public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV")
  /// AES-GCM under a key and with a nonce of X9.63 with SHA-512.
  public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV")
  /// AES-GCM under a key and with a nonce of X9.63 with SHA-224.
  public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV")
  /// AES-GCM under a key and with a nonce of X9.63 with SHA-256.
  public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV")
  /// AES-GCM under a key and with a nonce of X9.63 with SHA-384.
  public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV")
  /// AES-GCM under a key and with a nonce of X9.63 with SHA-512.
  public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV")
}
