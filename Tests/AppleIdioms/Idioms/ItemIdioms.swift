import Foundation
import Security
import Testing

/// Calls of SecItem, and what is made of their results.
@Suite("X5: calls of SecItem as existing code makes them", .timeLimit(.minutes(60)))
struct ItemIdioms {
  private let device: IdiomDevice

  init() throws { device = try IdiomDevice() }

  private let mail: [String: Any] = [
    kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "mail",
    kSecAttrAccount as String: "ann",
  ]

  private func add() {
    var item = mail
    item[kSecValueData as String] = Data("open sesame".utf8)
    // Nobody looks at the result.
    SecItemAdd(item as CFDictionary, nil)
  }

  @Test("results go to variables of either type, or nowhere")
  func results() throws {
    try device.run {
      add()
      var query = mail
      query[kSecReturnData as String] = true
      var object: AnyObject?
      #expect(SecItemCopyMatching(query as CFDictionary, &object) == errSecSuccess)
      #expect(object as? Data == Data("open sesame".utf8))
      var reference: CFTypeRef?
      #expect(SecItemCopyMatching(query as CFDictionary, &reference) == noErr)
      #expect(String(decoding: reference as! Data, as: UTF8.self) == "open sesame")
      #expect(SecItemCopyMatching(mail as CFDictionary, nil) == errSecSuccess)
      var pointed: AnyObject?
      let status = withUnsafeMutablePointer(to: &pointed) {
        SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
      }
      #expect(status == errSecSuccess && pointed is NSData)
      SecItemDelete(mail as CFDictionary)
      #expect(SecItemCopyMatching(mail as CFDictionary, nil) == errSecItemNotFound)
    }
  }

  @Test("the functions are values of exactly the types of C")
  func functions() throws {
    let copy: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus =
      SecItemCopyMatching
    let add: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus = SecItemAdd
    let update: (CFDictionary, CFDictionary) -> OSStatus = SecItemUpdate
    let delete: (CFDictionary) -> OSStatus = SecItemDelete
    try device.run {
      #expect(add(mail as CFDictionary, nil) == errSecSuccess)
      let label = [kSecAttrLabel as String: "Mail"] as CFDictionary
      #expect(update(mail as CFDictionary, label) == errSecSuccess)
      #expect(copy(mail as CFDictionary, nil) == errSecSuccess)
      #expect(delete(mail as CFDictionary) == errSecSuccess)
    }
  }

  @Test("one result is data, a dictionary of any type, or an array of those")
  func casts() throws {
    try device.run {
      add()
      var query = mail
      query[kSecReturnAttributes as String] = kCFBooleanTrue
      query[kSecReturnData as String] = kCFBooleanTrue
      var found: CFTypeRef?
      _ = SecItemCopyMatching(query as CFDictionary, &found)
      #expect((found as? [String: Any])?[kSecAttrAccount as String] as? String == "ann")
      #expect((found as? [CFString: Any])?[kSecAttrAccount] as? String == "ann")
      #expect((found as? [String: AnyObject])?["acct"] as? String == "ann")
      #expect((found as? [AnyHashable: Any])?[kSecAttrAccount] as? String == "ann")
      #expect((found as? NSDictionary)?[kSecAttrAccount] as? String == "ann")
      let dictionary = found as! CFDictionary
      #expect((dictionary as! [String: Any])["v_Data"] as? Data == Data("open sesame".utf8))
      #expect(CFGetTypeID(found) == CFDictionaryGetTypeID())
      query[kSecMatchLimit as String] = kSecMatchLimitAll
      var all: CFTypeRef?
      _ = SecItemCopyMatching(query as CFDictionary, &all)
      #expect((all as? [[String: Any]])?.count == 1)
      #expect((all as? [[CFString: Any]])?.first?[kSecAttrService] as? String == "mail")
      #expect((all as? [[String: AnyObject]])?.count == 1)
      #expect((all as? [[String: AnyHashable]])?.count == 1)
      #expect((all as? [[AnyHashable: Any]])?.count == 1)
      #expect((all as? [NSDictionary])?.count == 1)
      #expect((all as? NSArray)?.count == 1)
      #expect((all as? Array<Dictionary<String, Any>>)?.count == 1)
      query[kSecReturnAttributes as String] = nil
      var list: CFTypeRef?
      _ = SecItemCopyMatching(query as CFDictionary, &list)
      #expect(list as? [Data] == [Data("open sesame".utf8)])
      query[kSecMatchLimit as String] = nil
      var one: CFTypeRef?
      _ = SecItemCopyMatching(query as CFDictionary, &one)
      #expect(one as! CFData as Data == Data("open sesame".utf8))
    }
  }

  @Test("a flag is a Boolean, an integer and a number")
  func flags() throws {
    try device.run {
      add()
      var query = mail
      query[kSecReturnAttributes as String] = true
      var found: AnyObject?
      _ = SecItemCopyMatching(query as CFDictionary, &found)
      let attributes = found as! [String: Any]
      let value = attributes[kSecAttrSynchronizable as String]
      #expect(value as? Bool == false && value as? Int == 0 && value as? NSNumber == 0)
    }
  }
}
