import Foundation
import LocalAuthentication
import Security

/// A key that never leaves the enclave, and signs if the owner touches the sensor.
enum TouchIDKey {
  private static let tag = Data("KeychainTouchID".utf8)

  private static var query: [String: Any] {
    [
      kSecClass as String: kSecClassKey,
      kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
      kSecAttrApplicationTag as String: tag,
    ]
  }

  static func generate() throws {
    guard try !isThere else { throw KeychainStatus(code: errSecDuplicateItem) }
    var problem: Unmanaged<CFError>?
    let access = SecAccessControlCreateWithFlags(
      kCFAllocatorDefault, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
      [.biometryAny, .privateKeyUsage], &problem)
    guard let access else { throw refusal(problem) }
    let attributes: [String: Any] = [
      kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
      kSecAttrKeySizeInBits as String: 256,
      kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
      kSecPrivateKeyAttrs as String: [
        kSecAttrIsPermanent as String: true,
        kSecAttrApplicationTag as String: tag,
        kSecAttrAccessControl as String: access,
      ] as [String: Any],
    ]
    guard SecKeyCreateRandomKey(attributes as CFDictionary, &problem) != nil else {
      throw refusal(problem)
    }
  }

  /// Signs, for which the owner is asked, and verifies the signature. The reason in the prompt is
  /// that of `context`.
  static func sign(_ text: String, in context: LAContext) throws -> Data {
    var query = query
    query[kSecReturnRef as String] = true
    query[kSecUseAuthenticationContext as String] = context
    var result: CFTypeRef?
    try KeychainStatus.check(SecItemCopyMatching(query as CFDictionary, &result))
    guard let key = result as? SecKey else { throw KeychainStatus(code: errSecDecode) }
    let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
    let message = Data(text.utf8) as CFData
    var problem: Unmanaged<CFError>?
    guard let signature = SecKeyCreateSignature(key, algorithm, message, &problem) else {
      throw refusal(problem)
    }
    guard let publicKey = SecKeyCopyPublicKey(key),
      SecKeyVerifySignature(publicKey, algorithm, message, signature, &problem)
    else { throw refusal(problem) }
    return signature as Data
  }

  /// Removes the key.
  /// - Returns: whether there was one.
  static func delete() throws -> Bool {
    let status = SecItemDelete(query as CFDictionary)
    if status == errSecItemNotFound { return false }
    try KeychainStatus.check(status)
    return true
  }

  private static var isThere: Bool {
    get throws {
      let status = SecItemCopyMatching(query as CFDictionary, nil)
      if status == errSecItemNotFound { return false }
      try KeychainStatus.check(status)
      return true
    }
  }

  private static func refusal(_ problem: Unmanaged<CFError>?) -> any Error {
    problem.map { $0.takeRetainedValue() as any Error } ?? KeychainStatus(code: errSecParam)
  }
}
