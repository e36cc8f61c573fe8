import CoreClient
import Foundation
import Protocol
import Security
import TestSupport
import Testing

@Suite("Keys that bytes name, as CryptoKit's", .timeLimit(.minutes(60)))
struct RepresentedKeyTests {
  private let digest = [UInt8](repeating: 7, count: 32)

  private func made(
    _ application: TestedApplication, guardedBy flags: SecAccessControlCreateFlags? = nil,
    in context: LentContext? = nil
  ) throws -> RepresentedKey {
    try application.run {
      try RepresentedKey(guardedBy: flags.map { accessControl($0) }, in: context)
    }
  }

  private func found(
    _ representation: Data, _ application: TestedApplication, in context: LentContext? = nil
  ) throws -> RepresentedKey? {
    try application.run { try RepresentedKey(representation, in: context) }
  }

  /// Whether a signature of ``digest`` fits.
  private func fits(_ signature: [UInt8], _ point: [UInt8]) throws -> Bool {
    let kind = [
      kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPublic,
    ]
    let made = SecKeyCreateWithData(Data(point) as NSData, kind as CFDictionary, nil)
    let key = try #require(made)
    return SecKeyVerifySignature(
      key, .ecdsaSignatureRFC4754, Data(digest) as NSData, Data(signature) as NSData, nil)
  }

  @Test("K2: a key is found by its bytes, by no query of SecItem and by no other device")
  func found() throws {
    let application = TestedApplication(try TestHome())
    let representation: Data
    let point: [UInt8]
    do {
      let key = try made(application)
      (representation, point) = (key.representation, key.publicKey)
    }
    let again = try #require(try found(representation, application))
    #expect(again.publicKey == point && again.representation == representation)
    #expect(try fits(again.sign(digest), point))
    #expect(application.status([kSecClass: kSecClassKey]) == errSecItemNotFound)
    #expect(application.delete([kSecClass: kSecClassKey]) == errSecItemNotFound)
    #expect(try found(representation, application) != nil)
    #expect(try found(representation, TestedApplication(try TestHome())) == nil)
  }

  @Test("K2: a key whose bytes are never read goes with its value")
  func forgotten() throws {
    let application = TestedApplication(try TestHome())
    do {
      let key = try made(application)
      #expect(try fits(key.sign(digest), key.publicKey))
    }
    #expect(try application.keyCount() == 0)
    do { _ = try made(application).representation }
    #expect(try application.keyCount() == 1)
  }

  @Test("K2: bytes that are cut, longer, changed anywhere or another key's name no key")
  func hostile() throws {
    let application = TestedApplication(try TestHome())
    let representation = try made(application).representation
    let size = RepresentedKey.representationSize
    #expect(representation.count == size)
    for count in [0, 1, 15, 47, size - 1] {
      #expect(try found(representation.prefix(count), application) == nil)
    }
    #expect(try found(representation + [0], application) == nil)
    #expect(try found(Data(count: 1 << 20), application) == nil)
    for place in 0..<size {
      for change in [UInt8(1), 0x80] {
        var changed = representation
        changed[place] ^= change
        #expect(try found(changed, application) == nil, "\(place)")
      }
    }
    let other = try made(application).representation
    #expect(try found(representation.prefix(47) + other.suffix(65), application) == nil)
    // A key that was made otherwise is not one of these.
    let tagged = application.run {
      SecKeyCreateRandomKey(
        enclaveKey([kSecAttrIsPermanent: true, kSecAttrApplicationTag: Data("tag".utf8)]), nil)
    }
    let keys: FoundKeys = try application.client.ask(
      FindKeys(query: KeyQuery(applicationTag: Array("tag".utf8))))
    let key = try #require(keys.keys.first)
    #expect(tagged != nil)
    let forged = representation.prefix(15) + Data(key.identifier.utf8) + key.publicKey
    #expect(forged.count == size)
    #expect(try found(forged, application) == nil)
  }

  @Test("L9: a guarded key asks at each use; in a context one touch is worth several")
  func guarded() throws {
    let device = try TestHome()
    try device.setUp()
    let application = TestedApplication(device, driver: try device.ownerTouch())
    let flags: SecAccessControlCreateFlags = [.privateKeyUsage, .biometryAny]
    let context = LentContext(application)
    let key = try made(application, guardedBy: flags, in: context)
    let other = try made(application)
    #expect(try fits(key.sign(digest), key.publicKey))
    let own = try unsafe key.withSharedPoint(of: other.publicKey) { unsafe Array($0) }
    let theirs = try unsafe other.withSharedPoint(of: key.publicKey) { unsafe Array($0) }
    #expect(own == theirs && own.count == 33 && own[0] == 2)
    let silent = LentContext(application, isAllowed: false)
    let closed = try #require(try found(key.representation, application, in: silent))
    let error = #expect(throws: NSError.self) { try closed.sign(digest) }
    #expect(error?.domain == "com.apple.LocalAuthentication" && error?.code == -1004)
  }

  @Test("K2: a point that is not of the curve, an empty digest and a missing passcode are errors")
  func refused() throws {
    let application = TestedApplication(try TestHome())
    let key = try made(application)
    for point in [[], [UInt8](repeating: 4, count: 65), Array(key.publicKey.dropLast())] {
      let error = #expect(throws: NSError.self) {
        try unsafe key.withSharedPoint(of: point) { _ in }
      }
      #expect(error?.code == Int(errSecParam))
    }
    #expect(throws: NSError.self) { try key.sign([]) }
    let guarded = #expect(throws: NSError.self) {
      try made(application, guardedBy: [.privateKeyUsage, .userPresence])
    }
    #expect(guarded?.domain == "com.apple.LocalAuthentication" && guarded?.code == -5)
  }
}
