import Foundation
import Security
import TestSupport
import Testing

/// Keys of Security in this project's command and in OpenSSL's, and the other way round.
@Suite("Keys of SecKey elsewhere", .timeLimit(.minutes(60)))
struct KeyInteroperationTests {
  private static let openSSL = "/usr/bin/openssl"
  private static var hasOpenSSL: Bool { FileManager.default.isExecutableFile(atPath: openSSL) }

  private let message = Data("From one side to the other.".utf8)

  @Test("K2: what authcore encrypts for a key SecKey decrypts, and the other way round")
  func command() throws {
    let device = try TestHome()
    let created = try device.authcore("key", "create", "mail", "--group", "post")
    #expect(created.status == 0, "\(created.account)")
    let application = TestedApplication(device)
    let query: [CFString: Any] = [
      kSecClass: kSecClassKey, kSecAttrAccessGroup: "post", kSecReturnRef: true,
    ]
    let key = try #require(application.copy(query).object as? SecKey)
    let publicKey = try #require(SecKeyCopyPublicKey(key))
    let algorithm = SecKeyAlgorithm.eciesEncryptionCofactorX963SHA256AESGCM
    let file = try device.folder.write("message", message)
    let encrypting = try run(
      "authcore", ["--home", device.home, "key", "encrypt", "mail", "--group", "post"],
      input: Data(contentsOf: file))
    #expect(encrypting.status == 0, "\(encrypting.account)")
    #expect(decrypted(key, algorithm, encrypting.output as NSData) as Data? == message)
    let sealed = try #require(encrypted(publicKey, algorithm, message as NSData))
    let decrypting = try run(
      "authcore", ["--home", device.home, "key", "decrypt", "mail", "--group", "post"],
      input: sealed as Data)
    #expect(decrypting.output == message, "\(decrypting.account)")
    let signing = try run(
      "authcore", ["--home", device.home, "key", "sign", "mail", "--group", "post"],
      input: message)
    #expect(
      fits(
        publicKey, .ecdsaSignatureMessageX962SHA256, message as NSData,
        signing.output as NSData))
  }

  @Test("openssl verifies what a key signs", .enabled(if: hasOpenSSL, "there is no openssl"))
  func openSSL() throws {
    let folder = try TemporaryFolder()
    let key = try #require(makeKey(kSecAttrKeyTypeEC, 256))
    let publicKey = try #require(SecKeyCopyPublicKey(key).flatMap { exported($0) })
    // SubjectPublicKeyInfo of P-256 before the point (RFC 5480).
    let prefix: [UInt8] = [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
      0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]
    let signature = try #require(
      signed(key, .ecdsaSignatureMessageX962SHA256, message as NSData))
    try verify(
      folder, Data(prefix) + (publicKey as Data), signature as Data, options: [])
    let rsa = try #require(makeKey(kSecAttrKeyTypeRSA, 2048))
    let open = try #require(SecKeyCopyPublicKey(rsa).flatMap { exported($0) })
    let pss = try #require(signed(rsa, .rsaSignatureMessagePSSSHA256, message as NSData))
    let parts = try folder.write("rsa.der", open as Data)
    let converted = try run(
      Self.openSSL,
      ["rsa", "-RSAPublicKey_in", "-inform", "DER", "-in", parts.path, "-outform", "DER"])
    try verify(
      folder, converted.output, pss as Data,
      options: ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32"])
  }

  private func verify(
    _ folder: TemporaryFolder, _ key: Data, _ signature: Data, options: [String]
  ) throws {
    let files = try (
      folder.write("key.der", key), folder.write("signature", signature),
      folder.write("message", message)
    )
    let checked = try run(
      Self.openSSL,
      ["dgst", "-sha256", "-verify", files.0.path, "-keyform", "DER", "-signature", files.1.path]
        + options + [files.2.path])
    #expect(checked.status == 0 && checked.text.contains("Verified OK"), "\(checked.account)")
  }
}

/// The success or the error of a call.
struct KeyOutcome<Value> {
  let value: Value
  let error: NSError?

  /// Domain and code, to compare errors.
  var code: String { error.map { "\($0.domain) \($0.code)" } ?? "none" }
}

/// Calls a function with a place for its error.
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

// Security's functions without their errors.

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
