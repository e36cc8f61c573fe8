public import CoreFoundationTypes
import Cryptography
import Protocol

// What is done with keys. Any thread; the uses of private keys of the enclave block while the owner
// is asked. Errors of asking are those of LocalAuthentication (domain com.apple.LocalAuthentication,
// −2 where the owner cancels); others are OSStatus.

/// Whether a key can be used so.
/// - Parameters:
///   - key: which half, and of what kind, decides.
///   - operation: signing, decrypting and agreeing are for private keys, the others for public ones.
///   - algorithm: how.
/// - Returns: whether; nothing has to be proved to find out.
@discardableResult public func SecKeyIsAlgorithmSupported(
  _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
  key.supports(operation, algorithm)
}

/// Signs.
/// - Parameters:
///   - key: a private key.
///   - algorithm: one `rsaSignature…` or `ecdsaSignature…`.
///   - dataToSign: the message, or the hash where the algorithm is one of a digest.
///   - error: where an error goes, which the caller owns.
/// - Returns: the signature, or nil.
@discardableResult public func SecKeyCreateSignature(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe answer(error) { () throws(KeyProblem) in
    guard case .signature(let scheme) = try key.meaning(of: algorithm, for: .sign) else {
      return nil
    }
    return Data(try key.sign((dataToSign as Data).span, scheme)) as NSData
  } ?? nil
}

/// Checks a signature.
/// - Parameters:
///   - key: a public key.
///   - algorithm: the one it was made by.
///   - signedData: the message, or the hash where the algorithm is one of a digest.
///   - signature: the signature.
///   - error: where an error goes, which the caller owns: `errSecVerifyFailed` for a signature that
///     does not fit.
/// - Returns: whether it fits.
@discardableResult public func SecKeyVerifySignature(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
  unsafe answer(error) { () throws(KeyProblem) in
    guard case .signature(let scheme) = try key.meaning(of: algorithm, for: .verify) else {
      return false
    }
    try key.requireValid(signature as Data, over: signedData as Data, scheme)
    return true
  } ?? false
}

/// Encrypts for the owner of the private half.
/// - Parameters:
///   - key: a public key.
///   - algorithm: one `rsaEncryption…` or `eciesEncryption…`.
///   - plaintext: of any length with `…AESGCM`, else as long as the padding leaves room.
///   - error: where an error goes, which the caller owns.
/// - Returns: what the private half decrypts by the same algorithm, or nil.
@discardableResult public func SecKeyCreateEncryptedData(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe answer(error) { () throws(KeyProblem) in
    guard case .encryption(let scheme) = try key.meaning(of: algorithm, for: .encrypt) else {
      return nil
    }
    return Data(try key.encrypt(plaintext as Data, scheme)) as NSData
  } ?? nil
}

/// Decrypts.
/// - Parameters:
///   - key: a private key.
///   - algorithm: the one it was encrypted by.
///   - ciphertext: what ``SecKeyCreateEncryptedData(_:_:_:_:)`` gave, here or on an Apple device.
///   - error: where an error goes, which the caller owns: `errSecParam` for what is damaged or for
///     another key.
/// - Returns: the plaintext, in memory that is neither locked nor wiped, or nil.
@discardableResult public func SecKeyCreateDecryptedData(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe answer(error) { () throws(KeyProblem) in
    guard case .encryption(let scheme) = try key.meaning(of: algorithm, for: .decrypt) else {
      return nil
    }
    return try key.decrypt((ciphertext as Data).span, scheme).foundationData()
  } ?? nil
}

/// Agrees on a secret with the owner of another key.
/// - Parameters:
///   - privateKey: one's own key, on a curve.
///   - algorithm: one `ecdhKeyExchange…`.
///   - publicKey: the other side's key, on the same curve.
///   - parameters: with X9.63 `SecKeyKeyExchangeParameter.requestedSize`, and `sharedInfo` where both
///     sides have some.
///   - error: where an error goes, which the caller owns.
/// - Returns: the secret, in memory that is neither locked nor wiped, or nil.
@discardableResult public func SecKeyCopyKeyExchangeResult(
  _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey,
  _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe answer(error) { () throws(KeyProblem) in
    let meaning = try privateKey.meaning(of: algorithm, for: .keyExchange)
    guard case .agreement(let scheme) = meaning else { return nil }
    let (count, sharedInfo) = try exchangeParameters(parameters, of: scheme)
    let secret = try privateKey.sharedSecret(with: publicKey)
    do throws(CryptographyError) {
      return try scheme.result(from: secret, count: count, sharedInfo: sharedInfo)
        .foundationData()
    } catch {
      throw error.problem("deriving from a shared secret")
    }
  } ?? nil
}

/// How many bytes are wanted, and what both sides mean besides.
private func exchangeParameters(
  _ dictionary: CFDictionary, of scheme: AgreementScheme
) throws(KeyProblem) -> (count: Int, sharedInfo: [UInt8]) {
  guard scheme != .raw else { return (0, []) }
  typealias Parameter = SecKeyKeyExchangeParameter
  guard let size = dictionary.object(forKey: Parameter.requestedSize.rawValue) as? Int,
    1...X963.longest ~= size
  else {
    throw .parameter(
      "nothing says how many bytes are wanted, or not in 1…\(X963.longest)",
      hint: "give SecKeyKeyExchangeParameter.requestedSize")
  }
  guard let info = dictionary.object(forKey: Parameter.sharedInfo.rawValue) else {
    return (size, [])
  }
  guard let info = info as? Data else {
    throw .parameter(
      "the shared information is no data",
      hint: "give bytes for SecKeyKeyExchangeParameter.sharedInfo")
  }
  return (size, [UInt8](info))
}

extension SecKey {
  /// - Throws: `errSecVerifyFailed` for a signature that does not fit.
  func requireValid(
    _ signature: Data, over signed: Data, _ scheme: SignatureScheme
  ) throws(KeyProblem) {
    let isValid: Bool
    do throws(CryptographyError) {
      isValid = try material.publicKey.isValid(signature.span, over: signed.span, scheme)
    } catch {
      throw error.problem("verifying")
    }
    guard isValid else {
      throw .status(
        errSecVerifyFailed, "the signature does not fit what was signed, or is another key's",
        hint: "give the bytes, the key and the algorithm of who signed")
    }
  }

  func encrypt(_ plaintext: Data, _ scheme: EncryptionScheme) throws(KeyProblem) -> [UInt8] {
    do throws(CryptographyError) {
      return try material.publicKey.encrypt(plaintext.span, scheme)
    } catch {
      throw error.problem("encrypting")
    }
  }
}
