import Foundation
import Security
import TestSupport
import Testing

@Suite("Keys of a process, stored", .timeLimit(.minutes(60)))
struct StoredKeyTests {
  private let tag = Data("org.example.stored".utf8)

  @Test(
    "K1: a permanent key is stored with what describes it, and found as the same key",
    arguments: [
      ("73", 521), ("42", 2048),
    ])
  func permanent(type: String, bits: Int) throws {
    let application = TestedApplication(try TestHome())
    let made = application.run {
      makeKey(
        type as CFString, bits,
        [
          kSecPrivateKeyAttrs: [
            kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag, kSecAttrLabel: "Stored",
          ]
        ])
    }
    let key = try #require(made)
    let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag]
    let found = application.copy(query.with([kSecReturnRef: true])).object as? SecKey
    #expect(found == key)
    let attributes = try #require(application.attributes(query))
    #expect(attributes["type"] as? Int == Int(type))
    #expect(attributes["bsiz"] as? Int == bits && attributes["esiz"] as? Int == bits)
    #expect(attributes["kcls"] as? Int == 1 && attributes["labl"] as? String == "Stored")
    #expect(attributes["perm"] as? Bool == true && attributes["sign"] as? Bool == true)
    let data = application.copy(query.with([kSecReturnData: true])).object as? Data
    #expect(data == exported(key) as Data?)
    let own = try #require(SecKeyCopyAttributes(key) as? [CFString: Any])
    #expect(own[kSecAttrApplicationLabel] as? Data == attributes["klbl"] as? Data)
    #expect(own[kSecAttrIsPermanent] as? Bool == true)
    #expect(own[kSecAttrKeyType] as? String == type && own[kSecAttrKeyClass] as? String == "1")
    #expect(application.delete(query) == errSecSuccess)
    #expect(application.status(query) == errSecItemNotFound)
  }

  @Test("K1: both halves are stored where both are to be, and told apart by their class")
  func bothHalves() throws {
    let application = TestedApplication(try TestHome())
    let half: [CFString: Any] = [kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag]
    let made = application.run {
      makeKey(kSecAttrKeyTypeEC, 256, [kSecPrivateKeyAttrs: half, kSecPublicKeyAttrs: half])
    }
    let key = try #require(made)
    let query: [CFString: Any] = [
      kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecReturnRef: true,
    ]
    let open = application.copy(query.with([kSecAttrKeyClass: kSecAttrKeyClassPublic]))
    let closed = application.copy(query.with([kSecAttrKeyClass: kSecAttrKeyClassPrivate]))
    #expect(open.object as? SecKey == SecKeyCopyPublicKey(key))
    #expect(closed.object as? SecKey == key)
    let again = application.run {
      SecItemAdd(
        [kSecClass: kSecClassKey, kSecValueRef: key, kSecAttrApplicationTag: tag]
          as [CFString: Any] as CFDictionary, nil)
    }
    #expect(again == errSecDuplicateItem)
  }

  @Test("K1: a key is added as object or as bytes, and describes itself")
  func addedKeys() throws {
    let application = TestedApplication(try TestHome())
    let key = try #require(makeKey(kSecAttrKeyTypeEC, 256))
    let publicKey = try #require(SecKeyCopyPublicKey(key))
    #expect(
      application.add([
        kSecClass: kSecClassKey, kSecValueRef: publicKey, kSecAttrApplicationTag: tag,
      ]) == errSecSuccess)
    let bytes = try #require(exported(key))
    let item: [CFString: Any] = [
      kSecClass: kSecClassKey, kSecAttrKeyType: kSecAttrKeyTypeEC,
      kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrApplicationTag: tag,
      kSecValueData: bytes, kSecReturnRef: true,
    ]
    #expect(application.addedResult(item).object as? SecKey == key)
    let attributes = try #require(
      application.attributes([
        kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
      ]))
    #expect((attributes["klbl"] as? Data)?.count == 20 && attributes["bsiz"] as? Int == 256)
    // As in Apple's keychain, any bytes may be kept as a key; they are not a SecKey.
    let other = item.with([
      kSecValueData: Data("no key".utf8), kSecAttrApplicationTag: Data("other".utf8),
      kSecReturnRef: false,
    ])
    #expect(application.add(other) == errSecSuccess)
    let query: [CFString: Any] = [
      kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("other".utf8),
    ]
    #expect(
      application.copy(query.with([kSecReturnData: true])).object as? Data
        == Data("no key".utf8))
    #expect(application.copy(query.with([kSecReturnRef: true])).status == errSecDecode)
  }

  @Test("K1: bytes of which nothing says which half they are count as the public one")
  func halfUnsaid() throws {
    let application = TestedApplication(try TestHome())
    let key = try #require(makeKey(kSecAttrKeyTypeRSA, 1024))
    let half = try #require(SecKeyCopyPublicKey(key))
    let query: [CFString: Any] = [
      kSecClass: kSecClassKey, kSecAttrKeyType: kSecAttrKeyTypeRSA,
      kSecAttrApplicationTag: "org.example.unsaid",
    ]
    let bytes = try #require(exported(half))
    #expect(application.add(query.with([kSecValueData: bytes])) == errSecSuccess)
    let found = application.copy(query.with([kSecReturnRef: true]))
    #expect(found.object as? SecKey == half)
    let attributes = try #require(
      application.attributes(query.with([kSecAttrKeyClass: kSecAttrKeyClassPublic])))
    #expect(attributes["kcls"] as? Int == 0 && attributes["bsiz"] as? Int == 1024)
  }
}
