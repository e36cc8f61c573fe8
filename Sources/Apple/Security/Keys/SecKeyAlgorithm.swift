public import CoreFoundationTypes
import Cryptography

/// An algorithm for signing, encrypting or agreeing, by Apple's name.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
  private let text: String

  /// Apple's text.
  public var rawValue: CFString { constant(text) }

  /// The text need not be a known one.
  public init(rawValue: CFString) { text = rawValue as String }

  init(_ text: String) { self.text = text }
}

/// The meaning of an algorithm.
enum KeyAlgorithm {
  case signature(SignatureScheme)
  case encryption(EncryptionScheme)
  case agreement(AgreementScheme)
}

extension SecKeyAlgorithm {
  /// Nil for a text that is not one of Apple's public ones.
  var meaning: KeyAlgorithm? { Self.meanings[text] }

  /// Made from the beginnings of the texts and the names of hash functions.
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
  // MARK: ECDSA signatures. The input is a hash (Digest) or a message; r and s are in DER (X962), or as
  // long as a coordinate each (RFC4754).
  public static let ecdsaSignatureRFC4754 = SecKeyAlgorithm("algid:sign:ECDSA:RFC4754")
  public static let ecdsaSignatureDigestX962 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962")
  public static let ecdsaSignatureDigestX962SHA1 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-X962:SHA1")
  public static let ecdsaSignatureDigestX962SHA224 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-X962:SHA224")
  public static let ecdsaSignatureDigestX962SHA256 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-X962:SHA256")
  public static let ecdsaSignatureDigestX962SHA384 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-X962:SHA384")
  public static let ecdsaSignatureDigestX962SHA512 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-X962:SHA512")
  public static let ecdsaSignatureMessageX962SHA1 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-X962:SHA1")
  public static let ecdsaSignatureMessageX962SHA224 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-X962:SHA224")
  public static let ecdsaSignatureMessageX962SHA256 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-X962:SHA256")
  public static let ecdsaSignatureMessageX962SHA384 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-X962:SHA384")
  public static let ecdsaSignatureMessageX962SHA512 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-X962:SHA512")
  public static let ecdsaSignatureDigestRFC4754 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754")
  public static let ecdsaSignatureDigestRFC4754SHA1 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-RFC4754:SHA1")
  public static let ecdsaSignatureDigestRFC4754SHA224 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-RFC4754:SHA224")
  public static let ecdsaSignatureDigestRFC4754SHA256 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-RFC4754:SHA256")
  public static let ecdsaSignatureDigestRFC4754SHA384 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-RFC4754:SHA384")
  public static let ecdsaSignatureDigestRFC4754SHA512 = SecKeyAlgorithm(
    "algid:sign:ECDSA:digest-RFC4754:SHA512")
  public static let ecdsaSignatureMessageRFC4754SHA1 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-RFC4754:SHA1")
  public static let ecdsaSignatureMessageRFC4754SHA224 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-RFC4754:SHA224")
  public static let ecdsaSignatureMessageRFC4754SHA256 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-RFC4754:SHA256")
  public static let ecdsaSignatureMessageRFC4754SHA384 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-RFC4754:SHA384")
  public static let ecdsaSignatureMessageRFC4754SHA512 = SecKeyAlgorithm(
    "algid:sign:ECDSA:message-RFC4754:SHA512")
}

// The algorithms of RSA keys. The texts are Apple's, including a wrong length of a salt: it is
// always as long as a hash.

extension SecKeyAlgorithm {
  // MARK: Signatures. The input is a hash (Digest) or a message; Raw signs it as a number.
  public static let rsaSignatureRaw = SecKeyAlgorithm("algid:sign:RSA:raw")
  public static let rsaSignatureDigestPKCS1v15Raw = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PKCS1v15")
  public static let rsaSignatureDigestPKCS1v15SHA1 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PKCS1v15:SHA1")
  public static let rsaSignatureDigestPKCS1v15SHA224 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PKCS1v15:SHA224")
  public static let rsaSignatureDigestPKCS1v15SHA256 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PKCS1v15:SHA256")
  public static let rsaSignatureDigestPKCS1v15SHA384 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PKCS1v15:SHA384")
  public static let rsaSignatureDigestPKCS1v15SHA512 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PKCS1v15:SHA512")
  public static let rsaSignatureMessagePKCS1v15SHA1 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PKCS1v15:SHA1")
  public static let rsaSignatureMessagePKCS1v15SHA224 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PKCS1v15:SHA224")
  public static let rsaSignatureMessagePKCS1v15SHA256 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PKCS1v15:SHA256")
  public static let rsaSignatureMessagePKCS1v15SHA384 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PKCS1v15:SHA384")
  public static let rsaSignatureMessagePKCS1v15SHA512 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PKCS1v15:SHA512")
  public static let rsaSignatureDigestPSSSHA1 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PSS:SHA1:SHA1:20")
  public static let rsaSignatureDigestPSSSHA224 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PSS:SHA224:SHA224:24")
  public static let rsaSignatureDigestPSSSHA256 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PSS:SHA256:SHA256:32")
  public static let rsaSignatureDigestPSSSHA384 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PSS:SHA384:SHA384:48")
  public static let rsaSignatureDigestPSSSHA512 = SecKeyAlgorithm(
    "algid:sign:RSA:digest-PSS:SHA512:SHA512:64")
  public static let rsaSignatureMessagePSSSHA1 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PSS:SHA1:SHA1:20")
  public static let rsaSignatureMessagePSSSHA224 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PSS:SHA224:SHA224:24")
  public static let rsaSignatureMessagePSSSHA256 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PSS:SHA256:SHA256:32")
  public static let rsaSignatureMessagePSSSHA384 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PSS:SHA384:SHA384:48")
  public static let rsaSignatureMessagePSSSHA512 = SecKeyAlgorithm(
    "algid:sign:RSA:message-PSS:SHA512:SHA512:64")

  // MARK: Encryption. OAEP uses MGF1 of the same hash function. With AESGCM it wraps a random key, so that
  // the input may have any length. With PKCS1 a failure to decrypt must not be told to others.
  public static let rsaEncryptionRaw = SecKeyAlgorithm("algid:encrypt:RSA:raw")
  public static let rsaEncryptionPKCS1 = SecKeyAlgorithm("algid:encrypt:RSA:PKCS1")
  public static let rsaEncryptionOAEPSHA1 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA1")
  public static let rsaEncryptionOAEPSHA224 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA224")
  public static let rsaEncryptionOAEPSHA256 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA256")
  public static let rsaEncryptionOAEPSHA384 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA384")
  public static let rsaEncryptionOAEPSHA512 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA512")
  public static let rsaEncryptionOAEPSHA1AESGCM = SecKeyAlgorithm(
    "algid:encrypt:RSA:OAEP:SHA1:AESGCM")
  public static let rsaEncryptionOAEPSHA224AESGCM = SecKeyAlgorithm(
    "algid:encrypt:RSA:OAEP:SHA224:AESGCM")
  public static let rsaEncryptionOAEPSHA256AESGCM = SecKeyAlgorithm(
    "algid:encrypt:RSA:OAEP:SHA256:AESGCM")
  public static let rsaEncryptionOAEPSHA384AESGCM = SecKeyAlgorithm(
    "algid:encrypt:RSA:OAEP:SHA384:AESGCM")
  public static let rsaEncryptionOAEPSHA512AESGCM = SecKeyAlgorithm(
    "algid:encrypt:RSA:OAEP:SHA512:AESGCM")
}

// The agreement and encryption of keys on curves. The texts are Apple's. `Standard` and `Cofactor`
// are the same on these curves, whose cofactor is 1.

extension SecKeyAlgorithm {
  // MARK: Diffie-Hellman. The result is the shared x coordinate, or what X9.63 derives from it.
  public static let ecdhKeyExchangeStandard = SecKeyAlgorithm("algid:keyexchange:ECDH")
  public static let ecdhKeyExchangeStandardX963SHA1 = SecKeyAlgorithm(
    "algid:keyexchange:ECDH:KDFX963:SHA1")
  public static let ecdhKeyExchangeStandardX963SHA224 = SecKeyAlgorithm(
    "algid:keyexchange:ECDH:KDFX963:SHA224")
  public static let ecdhKeyExchangeStandardX963SHA256 = SecKeyAlgorithm(
    "algid:keyexchange:ECDH:KDFX963:SHA256")
  public static let ecdhKeyExchangeStandardX963SHA384 = SecKeyAlgorithm(
    "algid:keyexchange:ECDH:KDFX963:SHA384")
  public static let ecdhKeyExchangeStandardX963SHA512 = SecKeyAlgorithm(
    "algid:keyexchange:ECDH:KDFX963:SHA512")
  public static let ecdhKeyExchangeCofactor = SecKeyAlgorithm("algid:keyexchange:ECDHC")
  public static let ecdhKeyExchangeCofactorX963SHA1 = SecKeyAlgorithm(
    "algid:keyexchange:ECDHC:KDFX963:SHA1")
  public static let ecdhKeyExchangeCofactorX963SHA224 = SecKeyAlgorithm(
    "algid:keyexchange:ECDHC:KDFX963:SHA224")
  public static let ecdhKeyExchangeCofactorX963SHA256 = SecKeyAlgorithm(
    "algid:keyexchange:ECDHC:KDFX963:SHA256")
  public static let ecdhKeyExchangeCofactorX963SHA384 = SecKeyAlgorithm(
    "algid:keyexchange:ECDHC:KDFX963:SHA384")
  public static let ecdhKeyExchangeCofactorX963SHA512 = SecKeyAlgorithm(
    "algid:keyexchange:ECDHC:KDFX963:SHA512")

  // MARK: ECIES. AES-GCM under a key of X9.63; the nonce is zero, or derived, too (VariableIV).
  public static let eciesEncryptionStandardX963SHA1AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM")
  public static let eciesEncryptionStandardX963SHA224AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM")
  public static let eciesEncryptionStandardX963SHA256AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM")
  public static let eciesEncryptionStandardX963SHA384AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM")
  public static let eciesEncryptionStandardX963SHA512AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM")
  public static let eciesEncryptionCofactorX963SHA1AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM")
  public static let eciesEncryptionCofactorX963SHA224AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM")
  public static let eciesEncryptionCofactorX963SHA256AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM")
  public static let eciesEncryptionCofactorX963SHA384AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM")
  public static let eciesEncryptionCofactorX963SHA512AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM")
  public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV")
  public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV")
  public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV")
  public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV")
  public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV")
  public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV")
  public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV")
  public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
    "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV")
}
