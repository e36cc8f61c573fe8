import Foundation
import Security
import TestSupport
import Testing

@Suite("What SecItem refuses", .timeLimit(.minutes(60)))
struct BadRequestTests {
  let application: TestedApplication

  init() throws { application = TestedApplication(try TestHome()) }

  /// An object that is not in property lists.
  private final class Stranger: NSObject {}

  @Test("X5: values of the wrong type are errSecParam, in every function")
  func wrongTypes() {
    let wrong: [(CFString, [Any])] = [
      (kSecClass, [1, NSNull(), Data(), Stranger()]),
      (kSecAttrService, [1, Data([1]), Date(), NSNull(), ["a"], Stranger()]),
      (kSecAttrAccount, [1, Date(), Stranger(), [:] as [String: Any]]),
      (kSecAttrGeneric, [1, Date(), Stranger()]),
      (kSecAttrIsInvisible, ["yes", 2, Date(), Stranger()]),
      (kSecAttrCreator, ["five!", 1.5, Double.nan, UInt64.max, Data(), Stranger()]),
      (kSecAttrAccessible, ["ak ", "f", 1, NSNull()]),
      (kSecAttrAccessControl, ["ak", 1, NSNull(), Stranger()]),
      (kSecAttrAccessGroup, [1, Data()]),
      (kSecAttrSynchronizable, ["sync", 2, Date()]),
      (kSecAttrCreationDate, ["today", 1, Date(timeIntervalSince1970: .infinity)]),
      (kSecMatchLimit, [0, -1, "all", 1.5, Data(), NSNull()]),
      (kSecMatchItemList, ["a", Data(), [1]]), (kSecMatchCaseInsensitive, ["yes", Date()]),
      (kSecReturnData, ["yes", 2, NSNull()]), (kSecReturnAttributes, [Data()]),
      (kSecReturnRef, [Stranger()]), (kSecReturnPersistentRef, ["1"]),
      (kSecValueData, ["text", 1, NSNull(), Stranger(), [Data()]]),
      (kSecValueRef, ["text", Data(), Stranger()]), (kSecValuePersistentRef, ["text", 1]),
      (kSecUseAuthenticationContext, ["text", Stranger(), NSNull()]),
      (kSecUseAuthenticationUI, ["u_Auth", 1, true]), (kSecUseNoAuthenticationUI, ["yes"]),
      (kSecUseOperationPrompt, [1, Data()]),
    ]
    for (key, values) in wrong {
      for value in values {
        let query = password("mail", "ann").with([key: value])
        #expect(application.status(query) == errSecParam, "\(key): \(value)")
        #expect(application.delete(query) == errSecParam, "\(key): \(value)")
        #expect(application.update(query, [kSecAttrLabel: "x"]) == errSecParam, "\(key): \(value)")
        let item = password("mail", "ann", secret: "x").with([key: value])
        #expect(application.add(item) == errSecParam, "\(key): \(value)")
        if key != kSecClass {
          #expect(
            application.update(password("mail"), [key: value]) == errSecParam, "\(key): \(value)")
        }
      }
    }
    #expect(application.status(password("mail")) == errSecItemNotFound)
  }

  @Test("X5: unknown keys, unknown classes and missing values have different statuses")
  func unknown() {
    let query = password("mail", "ann")
    for key in ["x", "", "svce ", "u_Nothing", kSecAttrTombstone as String, "private"] {
      #expect(application.status(query.with([key as CFString: 1])) == errSecNoSuchAttr, "\(key)")
    }
    #expect(application.status(query.with([kSecAttrServer: "x"])) == errSecNoSuchAttr)
    #expect(application.status(query.with([kSecAttrIsPrivate: true])) == errSecNoSuchAttr)
    for name in ["", "genp ", "apls", "x"] {
      #expect(application.status([kSecClass: name]) == errSecNoSuchClass, "\(name)")
    }
    #expect(application.status([:]) == errSecParam)
    #expect(application.add([kSecAttrService: "x"]) == errSecParam)
    #expect(application.delete([kSecAttrService: "mail"]) == errSecParam)
    #expect(application.update([:], [:]) == errSecParam)
    let numbers = [NSNumber(value: 1): "x"] as NSDictionary
    #expect(application.run { SecItemDelete(numbers) } == errSecParam)
    #expect(application.run { SecItemAdd(NSDictionary(), nil) } == errSecParam)
  }

  @Test("X5: contradictions are errSecParam")
  func contradictions() {
    let item = password("mail", "ann", secret: "x")
    let control = accessControl(.userPresence)
    for wrong: [CFString: Any] in [
      [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked, kSecAttrAccessControl: control],
      [kSecAttrSynchronizable: true, kSecAttrAccessControl: control],
      [kSecAttrSynchronizable: kSecAttrSynchronizableAny],
      [kSecMatchSubjectContains: "x"],
    ] {
      #expect(application.add(item.with(wrong)) == errSecParam, "\(wrong)")
    }
    #expect(application.add(item) == errSecSuccess)
    let one: [CFString: Any] = [kSecMatchLimit: kSecMatchLimitOne]
    #expect(application.delete(password("mail").with(one)) == errSecParam)
    #expect(application.update(password("mail").with(one), [kSecAttrLabel: "x"]) == errSecParam)
    let other: [CFString: Any] = [kSecClass: kSecClassInternetPassword]
    #expect(application.update(password("mail"), other) == errSecParam)
    #expect(application.update(password("mail"), [:]) == errSecParam)
    #expect(application.secret(password("mail")) == "x")
    #expect(application.delete(password("mail").with([kSecMatchLimit: kSecMatchLimitAll])) == 0)
  }

  @Test("X5: too much is errSecDataTooLarge, and as much as may be is kept to the last byte")
  func tooLarge() {
    let item = password("mail", "ann")
    let most = Data(repeating: 7, count: 48 << 10)
    #expect(application.add(item.with([kSecValueData: most])) == errSecSuccess)
    let found = application.copy(password("mail").with([kSecReturnData: true])).object as? Data
    #expect(found == most)
    let more = most + [8]
    #expect(
      application.add(password("other").with([kSecValueData: more])) == errSecDataTooLarge)
    #expect(application.update(item, [kSecValueData: more]) == errSecDataTooLarge)
    let long = String(repeating: "x", count: 1025)
    #expect(application.status(password(long)) == errSecDataTooLarge)
    let bytes = Data(repeating: 1, count: 4097)
    #expect(application.status(item.with([kSecAttrGeneric: bytes])) == errSecDataTooLarge)
    let group = String(repeating: "g", count: 4096)
    #expect(application.status(item.with([kSecAttrAccessGroup: group])) == errSecDataTooLarge)
  }

  @Test("X5: a hundred thousand attributes are refused, and nothing is done")
  func manyAttributes() {
    let many = NSMutableDictionary()
    for number in 0..<100_000 { many["x\(number)" as NSString] = NSNumber(value: number) }
    many[kSecClass] = kSecClassGenericPassword
    #expect(application.run { SecItemAdd(many, nil) } == errSecNoSuchAttr)
    #expect(application.run { SecItemDelete(many) } == errSecNoSuchAttr)
  }

  @Test("X5: an invalid persistent reference is errSecInvalidItemRef, one to nothing is not found")
  func references() throws {
    application.add(password("mail", secret: "x"))
    for wrong in [Data(), Data([1]), Data("genp".utf8), Data(repeating: 0x41, count: 37)] {
      #expect(application.status([kSecValuePersistentRef: wrong]) == errSecInvalidItemRef)
    }
    let huge = Data("genp\u{1}".utf8) + Data(repeating: 0x30, count: 100_000)
    #expect(application.status([kSecValuePersistentRef: huge]) == errSecInvalidItemRef)
    let strange = Data("genp\u{1}".utf8) + Data(repeating: 0x30, count: 32)
    #expect(application.status([kSecValuePersistentRef: strange]) == errSecItemNotFound)
    let query = password("mail").with([kSecReturnPersistentRef: true])
    let reference = try #require(application.copy(query).object as? Data)
    let asInternet: [CFString: Any] = [
      kSecClass: kSecClassInternetPassword, kSecValuePersistentRef: reference,
    ]
    #expect(application.status(asInternet) == errSecItemNotFound)
    #expect(application.add([kSecValuePersistentRef: reference]) == errSecParam)
    #expect(application.delete([kSecValuePersistentRef: reference]) == errSecSuccess)
    #expect(application.status([kSecValuePersistentRef: reference]) == errSecItemNotFound)
  }

  @Test("X5: without a core it is errSecNotAvailable")
  func noCore() throws {
    let nowhere = TestedApplication(
      application.device, driver: nil, program: "/nonexistent/authcored")
    #expect(nowhere.status(password("mail")) == errSecNotAvailable)
    #expect(nowhere.add(password("mail", secret: "x")) == errSecNotAvailable)
  }
}
