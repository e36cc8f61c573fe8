public import CoreFoundationTypes
import Cryptography

/// How a key signs, encrypts or agrees, by Apple's names.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
  private let text: String

  /// The text that Apple gives it.
  public var rawValue: CFString { constant(text) }

  /// One of this text, known or not.
  public init(rawValue: CFString) { text = rawValue as String }

  init(_ text: String) { self.text = text }
}

/// What an algorithm of Apple's name comes to.
enum KeyAlgorithm {
  case signature(SignatureScheme)
  case encryption(EncryptionScheme)
  case agreement(AgreementScheme)
}

extension SecKeyAlgorithm {
  /// What it comes to; nil for a text that is none of Apple's public ones.
  var meaning: KeyAlgorithm? { Self.meanings[text] }

  /// Of how each text begins, with the names of hash functions behind it.
  private static let meanings: [String: KeyAlgorithm] = {
    var meanings: [String: KeyAlgorithm] = [
      "algid:sign:RSA:raw": .signature(.rsaRaw),
      "algid:sign:RSA:digest-PKCS1v15": .signature(.rsaPKCS1(.digest(nil))),
      "algid:sign:ECDSA:RFC4754": .signature(.ecdsa(.rfc4754, .digest(nil))),
      "algid:sign:ECDSA:digest-RFC4754": .signature(.ecdsa(.rfc4754, .digest(nil))),
      "algid:sign:ECDSA:digest-X962": .signature(.ecdsa(.x962, .digest(nil))),
      "algid:encrypt:RSA:raw": .encryption(.rsaRaw),
      "algid:encrypt:RSA:PKCS1": .encryption(.rsaPKCS1),
      "algid:keyexchange:ECDH": .agreement(.raw),
      "algid:keyexchange:ECDHC": .agreement(.raw),
    ]
    for hash in HashFunction.allCases {
      let name = "\(hash)".uppercased()
      for (word, input) in [("message", SignedInput.message(hash)), ("digest", .digest(hash))] {
        let sign = "algid:sign:"
        meanings["\(sign)ECDSA:\(word)-X962:\(name)"] = .signature(.ecdsa(.x962, input))
        meanings["\(sign)ECDSA:\(word)-RFC4754:\(name)"] = .signature(.ecdsa(.rfc4754, input))
        meanings["\(sign)RSA:\(word)-PKCS1v15:\(name)"] = .signature(.rsaPKCS1(input))
        // Apple's text says 24 where a hash has 28.
        let salt = hash == .sha224 ? 24 : hash.size
        meanings["\(sign)RSA:\(word)-PSS:\(name):\(name):\(salt)"] = .signature(.rsaPSS(input))
      }
      let encrypt = "algid:encrypt:"
      meanings["\(encrypt)RSA:OAEP:\(name)"] = .encryption(.rsaOAEP(hash))
      meanings["\(encrypt)RSA:OAEP:\(name):AESGCM"] = .encryption(.rsaOAEPWithAESGCM(hash))
      for exchange in ["ECDH", "ECDHC"] {
        meanings["algid:keyexchange:\(exchange):KDFX963:\(name)"] = .agreement(.x963(hash))
        let ecies = "\(encrypt)ECIES:\(exchange):KDFX963:\(name):AESGCM"
        meanings[ecies] = .encryption(.ecies(hash, derivesNonce: false))
        // Apple has none with SHA-1.
        guard hash != .sha1 else { continue }
        meanings["\(ecies)-KDFIV"] = .encryption(.ecies(hash, derivesNonce: true))
      }
    }
    return meanings
  }()
}

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
