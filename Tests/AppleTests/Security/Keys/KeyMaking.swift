import Foundation
import Security

/// Whether a call went well, and how not.
struct KeyOutcome<Value> {
  let value: Value
  let error: NSError?

  /// Domain and code, for what is expected of an error.
  var code: String { error.map { "\($0.domain) \($0.code)" } ?? "none" }
}

/// Calls a function with a place for its error, which is taken over.
func outcome<Value>(
  _ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Value
) -> KeyOutcome<Value> {
  var error: Unmanaged<CFError>?
  let value = unsafe body(&error)
  return KeyOutcome(value: value, error: unsafe error?.takeRetainedValue())
}

/// Makes a key in this process.
func makeKey(_ type: CFString, _ bits: Int, _ more: [CFString: Any] = [:]) -> SecKey? {
  let parameters: [CFString: Any] = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits]
  return SecKeyCreateRandomKey(parameters.merging(more) { $1 } as CFDictionary, nil)
}

/// The parameters of a key of the enclave's with these attributes of its private half.
func enclaveKey(_ attributes: [CFString: Any], _ more: [CFString: Any] = [:]) -> CFDictionary {
  let parameters: [CFString: Any] = [
    kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
    kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: attributes,
  ]
  return parameters.merging(more) { $1 } as CFDictionary
}

// Security's functions where their errors are not looked at.

func exported(_ key: SecKey) -> NSData? { SecKeyCopyExternalRepresentation(key, nil) }

func signed(_ key: SecKey, _ algorithm: SecKeyAlgorithm, _ data: NSData) -> NSData? {
  SecKeyCreateSignature(key, algorithm, data, nil)
}

func fits(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ data: NSData, _ signature: NSData
) -> Bool {
  SecKeyVerifySignature(key, algorithm, data, signature, nil)
}

func encrypted(_ key: SecKey, _ algorithm: SecKeyAlgorithm, _ data: NSData) -> NSData? {
  SecKeyCreateEncryptedData(key, algorithm, data, nil)
}

func decrypted(_ key: SecKey, _ algorithm: SecKeyAlgorithm, _ data: NSData) -> NSData? {
  SecKeyCreateDecryptedData(key, algorithm, data, nil)
}

func agreed(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ other: SecKey, _ parameters: NSDictionary
) -> NSData? {
  SecKeyCopyKeyExchangeResult(key, algorithm, other, parameters, nil)
}
