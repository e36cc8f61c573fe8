import Foundation
import Security
import Testing

/// Dictionaries as applications write them.
@Suite("X5: queries as existing code writes them")
struct QueryIdioms {
  /// What a query means, whatever it was written as.
  private func isMail(_ query: CFDictionary) -> Bool {
    guard let entries = query as? [String: Any] else { return false }
    return entries[kSecClass as String] as? String == "genp"
      && entries[kSecAttrService as String] as? String == "mail" && entries.count == 2
  }

  @Test("dictionaries of every type become queries")
  func dictionaries() {
    let any: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "mail",
    ]
    let object: [String: AnyObject] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: "mail" as AnyObject,
    ]
    let hashable: [String: AnyHashable] = [
      kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "mail",
    ]
    let constants: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "mail"]
    let constantObjects: [CFString: AnyObject] = [
      kSecClass: kSecClassGenericPassword, kSecAttrService: "mail" as NSString,
    ]
    let texts: [NSString: AnyObject] = [
      kSecClass: kSecClassGenericPassword, kSecAttrService: "mail" as CFString,
    ]
    let objects: [NSObject: AnyObject] = [
      kSecClass: kSecClassGenericPassword, kSecAttrService: "mail" as NSString,
    ]
    let mutable = NSMutableDictionary()
    mutable[kSecClass] = kSecClassGenericPassword
    mutable.setObject("mail", forKey: kSecAttrService as NSString)
    let foundation: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecAttrService: "mail"]
    #expect(isMail(any as CFDictionary))
    #expect(isMail(object as CFDictionary))
    #expect(isMail(hashable as CFDictionary))
    #expect(isMail(constants as CFDictionary))
    #expect(isMail(constantObjects as CFDictionary))
    #expect(isMail(texts as CFDictionary))
    #expect(isMail(objects as CFDictionary))
    #expect(isMail(mutable))
    #expect(isMail(mutable as CFDictionary))
    #expect(isMail(foundation))
    #expect(
      isMail([kSecClass as String: kSecClassGenericPassword, "svce": "mail"] as CFDictionary))
    #expect(
      isMail([String(kSecClass): kSecClassGenericPassword, "svce": "mail"] as CFDictionary))
  }

  @Test("constants are objects wherever objects are wanted")
  func objects() {
    func takes(_ object: AnyObject) -> Bool { object is NSString }
    #expect(takes(kSecClass))
    var values: [String: AnyObject] = [String(kSecClass): kSecClassGenericPassword]
    values["sync"] = kCFBooleanTrue
    #expect(values["sync"] as? Bool == true)
    let any: [String: Any] = ["r_Data": kCFBooleanTrue as Any, "r_Attributes": kCFBooleanTrue!]
    let query = any as CFDictionary as? [String: Any]
    #expect(query?["r_Data"] as? Bool == true && query?["r_Attributes"] as? Bool == true)
  }

  @Test("a text is looked up by a constant in dictionaries of anything hashable")
  func lookup() {
    let attributes: [AnyHashable: Any] = ["acct": "ann", kSecAttrService: "mail"]
    #expect(attributes[kSecAttrAccount] as? String == "ann")
    #expect(attributes["svce"] as? String == "mail")
    #expect(AnyHashable(kSecClass) == AnyHashable("class"))
    #expect(AnyHashable("class" as NSString).hashValue == AnyHashable("class").hashValue)
  }

  @Test("a text chooses among constants")
  func choice() {
    func name(_ text: String) -> String {
      switch text as CFString {
      case kSecAttrAccessibleWhenUnlocked: return "unlocked"
      case kSecAttrAccessibleAfterFirstUnlock: return "first unlock"
      default: return "other"
      }
    }
    #expect(name("ak") == "unlocked" && name("ck") == "first unlock" && name("x") == "other")
  }

  @Test("values of Swift are those of Core Foundation")
  func values() {
    let yes: CFBoolean = true as CFBoolean
    let size: CFNumber = 256 as CFNumber
    let list: CFArray = ["a", 1, Data([2])] as CFArray
    let date: CFDate = Date(timeIntervalSince1970: 5) as CFDate
    let url = URL(string: "https://example.org")! as CFURL
    let data = Data([1, 2]) as CFData
    #expect(yes == kCFBooleanTrue && size as? Int == 256 && list.count == 3)
    #expect((date as Date).timeIntervalSince1970 == 5 && (url as URL).host == "example.org")
    #expect(data as Data == Data([1, 2]))
    #expect(CFGetTypeID(data) == CFDataGetTypeID() && CFGetTypeID(size) == CFNumberGetTypeID())
    #expect(CFGetTypeID(kCFBooleanTrue) == CFBooleanGetTypeID())
  }
}
