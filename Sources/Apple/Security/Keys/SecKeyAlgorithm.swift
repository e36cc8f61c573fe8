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
