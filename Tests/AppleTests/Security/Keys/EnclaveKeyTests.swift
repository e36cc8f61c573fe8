import CoreClient
import Foundation
import Protocol
import Security
import TestSupport
import Testing

@Suite("SecKey in the enclave", .timeLimit(.minutes(60)))
struct EnclaveKeyTests {
  private let message = Data("said".utf8) as NSData
  private let tag = Data("org.example.key".utf8)

  /// A new key, with the core of a device.
  private func made(
    _ application: TestedApplication, _ attributes: [CFString: Any]
  ) -> KeyOutcome<SecKey?> {
    application.run {
      unsafe outcome { unsafe SecKeyCreateRandomKey(enclaveKey(attributes), $0) }
    }
  }

  @Test("K2: a key of the enclave signs, decrypts and agrees by every algorithm of a P-256 key")
  func algorithms() throws {
    let application = TestedApplication(try TestHome())
    let key = try #require(
      made(application, [kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag]).value)
    let publicKey = try #require(SecKeyCopyPublicKey(key))
    let signatures: [SecKeyAlgorithm] = [
      .ecdsaSignatureMessageX962SHA1, .ecdsaSignatureMessageX962SHA224,
      .ecdsaSignatureMessageX962SHA256, .ecdsaSignatureMessageX962SHA384,
      .ecdsaSignatureMessageX962SHA512, .ecdsaSignatureMessageRFC4754SHA256,
      .ecdsaSignatureDigestX962, .ecdsaSignatureRFC4754,
    ]
    for algorithm in signatures {
      let signature = try #require(
        signed(key, algorithm, message), "\(algorithm.rawValue)")
      #expect(
        fits(publicKey, algorithm, message, signature),
        "\(algorithm.rawValue)")
    }
    let encryptions: [SecKeyAlgorithm] = [
      .eciesEncryptionCofactorX963SHA256AESGCM, .eciesEncryptionStandardX963SHA256AESGCM,
      .eciesEncryptionStandardX963SHA512AESGCM, .eciesEncryptionCofactorX963SHA1AESGCM,
      .eciesEncryptionCofactorVariableIVX963SHA256AESGCM,
    ]
    for algorithm in encryptions {
      for text in [message, NSData(), NSMutableData(length: 100_000) ?? NSData()] {
        let sealed = try #require(encrypted(publicKey, algorithm, text))
        #expect(decrypted(key, algorithm, sealed) == text)
        var bytes = sealed as Data
        bytes[bytes.count - 1] ^= 1
        let damaged = bytes as NSData
        let refused = unsafe outcome {
          unsafe SecKeyCreateDecryptedData(key, algorithm, damaged, $0)
        }
        #expect(refused.value == nil && refused.error?.code == Int(errSecParam))
      }
    }
    let other = try #require(makeKey(kSecAttrKeyTypeEC, 256))
    let open = try #require(SecKeyCopyPublicKey(other))
    let parameters: [CFString: Any] = ["requestedSize" as CFString: 40]
    for algorithm: SecKeyAlgorithm in [
      .ecdhKeyExchangeStandard, .ecdhKeyExchangeCofactorX963SHA384,
    ] {
      let one = agreed(
        key, algorithm, open, parameters as CFDictionary)
      let two = agreed(
        other, algorithm, publicKey, parameters as CFDictionary)
      #expect(one != nil && one == two)
    }
    let refused = unsafe outcome { unsafe SecKeyCopyExternalRepresentation(key, $0) }
    #expect(refused.value == nil && refused.error?.code == Int(errSecUnimplemented))
  }

  @Test("K2: a permanent key is found by its tag without a prompt, and gone when it is deleted")
  func permanent() throws {
    let device = try TestHome()
    try device.setUp()
    let application = TestedApplication(device)
    let access = accessControl([.privateKeyUsage, .userPresence])
    let key = try #require(
      made(
        application,
        [
          kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag, kSecAttrLabel: "Mine",
          kSecAttrAccessControl: access,
        ]
      ).value)
    let query: [CFString: Any] = [
      kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecReturnRef: true,
    ]
    let found = try #require(application.copy(query).object as? SecKey)
    #expect(found == key)
    let attributes = try #require(SecKeyCopyAttributes(found) as? [CFString: Any])
    #expect(attributes[kSecAttrTokenID] as? String == kSecAttrTokenIDSecureEnclave as String)
    #expect(attributes[kSecAttrAccessControl] as? SecAccessControl == access)
    #expect(attributes[kSecAttrLabel] as? String == "Mine")
    #expect(attributes[kSecAttrApplicationTag] as? Data == tag)
    #expect(attributes[kSecAttrKeyType] as? String == kSecAttrKeyTypeECSECPrimeRandom as String)
    #expect(attributes[kSecAttrKeyClass] as? String == kSecAttrKeyClassPrivate as String)
    #expect(application.delete(query.with([kSecReturnRef: false])) == errSecSuccess)
    #expect(application.copy(query).status == errSecItemNotFound)
    let gone = unsafe outcome {
      unsafe SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, $0)
    }
    #expect(gone.code == "\(NSOSStatusErrorDomain) \(errSecItemNotFound)")
  }

  /// A permanent key whose uses demand a finger.
  private func guardedKey(of application: TestedApplication) throws -> SecKey {
    try #require(
      made(
        application,
        [
          kSecAttrApplicationTag: tag, kSecAttrIsPermanent: true,
          kSecAttrAccessControl: accessControl([.privateKeyUsage, .biometryAny]),
        ]
      ).value)
  }

  @Test("L9: each use asks the owner, and a touch is worth one signature")
  func touches() throws {
    let device = try TestHome()
    try device.setUp()
    let application = TestedApplication(device, driver: try device.ownerTouch())
    let key = try guardedKey(of: application)
    let publicKey = try #require(SecKeyCopyPublicKey(key))
    let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
    let signature = try #require(signed(key, algorithm, message))
    #expect(fits(publicKey, algorithm, message, signature))
    // The public half asks nobody.
    #expect(
      encrypted(
        publicKey, .eciesEncryptionStandardX963SHA256AESGCM, message) != nil)
  }

  @Test("A7: in a context one touch is worth several signatures; where nobody may be asked, −1004")
  func contexts() throws {
    let device = try TestHome()
    try device.setUp()
    let application = TestedApplication(device, driver: try device.ownerTouch())
    _ = try guardedKey(of: application)
    let query: [CFString: Any] = [
      kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecReturnRef: true,
    ]
    let context = LentContext(application)
    let key = try #require(
      application.copy(query.with([kSecUseAuthenticationContext: context])).object as? SecKey)
    let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
    #expect(signed(key, algorithm, message) != nil)
    #expect(signed(key, algorithm, message) != nil)
    let silent = LentContext(application, isAllowed: false)
    let other = try #require(
      application.copy(query.with([kSecUseAuthenticationContext: silent])).object as? SecKey)
    let refused = unsafe outcome { unsafe SecKeyCreateSignature(other, algorithm, message, $0) }
    #expect(refused.value == nil && refused.code == "com.apple.LocalAuthentication -1004")
  }

  @Test("L4: a stranger's touches are an error of LocalAuthentication, authenticationFailed")
  func strangers() throws {
    let device = try TestHome()
    try device.setUp()
    let application = TestedApplication(device, driver: try device.strangerTouches(5))
    let key = try guardedKey(of: application)
    let refused = unsafe outcome {
      unsafe SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, $0)
    }
    #expect(refused.value == nil)
    #expect(refused.code == "com.apple.LocalAuthentication -1")
  }

  @Test("K2: a key that is not permanent is found by nobody, and goes with its SecKey")
  func temporary() throws {
    let application = TestedApplication(try TestHome())
    try useBriefly(application)
    #expect(try application.keyCount() == 0)
  }

  private func useBriefly(_ application: TestedApplication) throws {
    let key = try #require(made(application, [kSecAttrLabel: "brief"]).value)
    let attributes = try #require(SecKeyCopyAttributes(key) as? [CFString: Any])
    #expect(attributes[kSecAttrIsPermanent] as? Bool == false)
    #expect(attributes[kSecAttrApplicationTag] == nil)
    #expect(signed(key, .ecdsaSignatureMessageX962SHA256, message) != nil)
    #expect(
      application.copy([kSecClass: kSecClassKey, kSecReturnRef: true]).status
        == errSecItemNotFound)
    withExtendedLifetime(key) {}
  }

  @Test("K2: SecItemAdd of a key of the enclave finds it there already")
  func added() throws {
    let application = TestedApplication(try TestHome())
    let key = try #require(
      made(application, [kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag]).value)
    #expect(
      application.add([kSecClass: kSecClassKey, kSecValueRef: key]) == errSecDuplicateItem)
  }

  @Test("a missing passcode and a missing core are reported")
  func unavailable() throws {
    let device = try TestHome()
    let guarded = made(
      TestedApplication(device),
      [
        kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag,
        kSecAttrAccessControl: accessControl([.privateKeyUsage, .userPresence]),
      ])
    #expect(guarded.code == "com.apple.LocalAuthentication -5")
    let lost = made(
      TestedApplication(try TestHome(), program: "/nonexistent/authcored"),
      [kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag])
    #expect(lost.value == nil && lost.code == "\(NSOSStatusErrorDomain) \(errSecNotAvailable)")
  }
}
