import Foundation
import Security
import Testing

/// Keys as applications make and use them.
@Suite("X5: keys as existing code uses them", .timeLimit(.minutes(60)))
struct KeyIdioms {
  private func key(_ type: CFString, _ bits: Int) throws -> SecKey {
    let attributes: [String: Any] = [
      kSecAttrKeyType as String: type, kSecAttrKeySizeInBits as String: bits,
    ]
    var error: Unmanaged<CFError>?
    guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, &error) else {
      throw error!.takeRetainedValue() as Error
    }
    return key
  }

  @Test("a key signs, verifies, and is written down and read again")
  func use() throws {
    let key = try self.key(kSecAttrKeyTypeECSECPrimeRandom, 256)
    guard let publicKey = SecKeyCopyPublicKey(key) else {
      Issue.record("no public half")
      return
    }
    let message = Data("a message".utf8)
    var error: Unmanaged<CFError>?
    let signature =
      SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message as CFData, &error)
      as Data?
    #expect(
      SecKeyVerifySignature(
        publicKey, .ecdsaSignatureMessageX962SHA256, message as CFData, signature! as CFData, nil))
    let attributes = SecKeyCopyAttributes(key) as! [CFString: Any]
    #expect(attributes[kSecAttrKeySizeInBits] as? Int == 256)
    guard let type = attributes[kSecAttrKeyType] as? String else {
      Issue.record("the kind of the key is no text")
      return
    }
    #expect(type as CFString == kSecAttrKeyTypeECSECPrimeRandom)
    let data = SecKeyCopyExternalRepresentation(publicKey, nil)! as Data
    let again = SecKeyCreateWithData(
      data as CFData,
      [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
        kSecAttrKeyClass: kSecAttrKeyClassPublic,
      ] as CFDictionary, nil)
    #expect(again != nil)
    #expect(SecKeyIsAlgorithmSupported(key, .sign, .ecdsaSignatureMessageX962SHA256))
    #expect(SecKeyGetBlockSize(publicKey) == 32)
  }

  @Test("a key is had out of what is found, in every way")
  func casts() throws {
    let device = try IdiomDevice()
    try device.run {
      let key = try self.key(kSecAttrKeyTypeECSECPrimeRandom, 256)
      let item: [String: Any] = [
        kSecClass as String: kSecClassKey, kSecValueRef as String: key,
        kSecAttrApplicationTag as String: "org.example.key".data(using: .utf8)!,
      ]
      #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
      let query: [String: Any] = [
        kSecClass as String: kSecClassKey,
        kSecAttrApplicationTag as String: "org.example.key".data(using: .utf8)!,
        kSecAttrKeyType as String: kSecAttrKeyTypeEC, kSecReturnRef as String: true,
      ]
      var found: CFTypeRef?
      #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
      #expect(CFGetTypeID(found) == SecKeyGetTypeID())
      let forced = found as! SecKey
      let optional = found as! SecKey?
      let object = found!
      let cast = unsafeBitCast(found, to: SecKey?.self)
      let down = unsafeDowncast(object, to: SecKey.self)
      #expect(forced === cast && optional === down && (found as? SecKey) != nil)
      let qualified: Security.SecKey = forced
      #expect(SecKeyGetBlockSize(qualified) == 32)
    }
  }
}
