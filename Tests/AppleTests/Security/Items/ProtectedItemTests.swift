import CoreClient
import Foundation
import TestSupport
import Testing

@testable import Security

@Suite("Items behind access control, by SecItem", .timeLimit(.minutes(60)))
struct ProtectedItemTests {
  let device: TestHome

  init() throws {
    device = try TestHome()
    try device.setUp()
  }

  private let guarded: [CFString: Any] = password("bank", "ann", secret: "gold").with([
    kSecAttrAccessControl: accessControl(.userPresence)
  ])

  @Test("A1 W3: an item behind access control is opened by a touch, and says what guards it")
  func touch() throws {
    let application = TestedApplication(device, driver: try device.ownerTouch())
    #expect(application.add(guarded) == errSecSuccess)
    #expect(application.secret(password("bank")) == "gold")
    let found = try #require(application.attributes(password("bank")))
    #expect(found["accc"] as? SecAccessControl == accessControl(.userPresence))
    #expect(found["pdmn"] as? String == "akpu")
    #expect(application.delete(password("bank")) == errSecSuccess)
  }

  @Test("A1: where the owner may not be asked, what wants a proof is errSecInteractionNotAllowed")
  func forbidden() throws {
    let application = TestedApplication(device, driver: try device.ownerTouch())
    #expect(application.add(guarded) == errSecSuccess)
    let data = password("bank").with([kSecReturnData: true])
    let fail = data.with([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])
    #expect(application.status(fail) == errSecInteractionNotAllowed)
    #expect(
      application.status(data.with([kSecUseNoAuthenticationUI: true]))
        == errSecInteractionNotAllowed)
    let context = LentContext(application, isAllowed: false)
    #expect(
      application.status(data.with([kSecUseAuthenticationContext: context]))
        == errSecInteractionNotAllowed)
    #expect(application.attributes(password("bank"))?["acct"] as? String == "ann")
    #expect(
      application.status(fail.with([kSecAttrAccount: "nobody"])) == errSecItemNotFound)
    let allowed = data.with([kSecUseAuthenticationUI: kSecUseAuthenticationUIAllow])
    #expect(application.secret(allowed) == "gold")
  }

  @Test("A8: what wants a proof is left out where that is asked for")
  func skipped() throws {
    let application = TestedApplication(device, driver: try device.ownerTouch())
    #expect(application.add(guarded) == errSecSuccess)
    #expect(application.add(password("bank", "bob", secret: "tin")) == errSecSuccess)
    let query = password("bank").with([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])
    #expect(application.all(query).map { $0["acct"] as? String } == ["bob"])
    #expect(application.secret(query) == "tin")
    #expect(application.status(query.with([kSecAttrAccount: "ann"])) == errSecItemNotFound)
  }

  @Test("A8: one proof opens all items of a request, and none of the next")
  func several() throws {
    let application = TestedApplication(device, driver: try device.ownerTouch())
    #expect(application.add(guarded) == errSecSuccess)
    #expect(application.add(guarded.with([kSecAttrAccount: "bob"])) == errSecSuccess)
    #expect(application.add(password("bank", "open", secret: "tin")) == errSecSuccess)
    let all = password("bank").with([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll])
    // The recording holds one touch, and begins anew with each request.
    #expect((application.copy(all).object as? [Data])?.count == 3)
    #expect((application.copy(all).object as? [Data])?.count == 3)
    let fail = all.with([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])
    #expect(application.status(fail) == errSecInteractionNotAllowed)
  }

  @Test("A3: what was proved in a context serves later requests in it, until it is invalidated")
  func context() throws {
    let application = TestedApplication(device, driver: try device.ownerTouch())
    #expect(application.add(guarded) == errSecSuccess)
    let context = LentContext(application)
    let query = password("bank").with([kSecUseAuthenticationContext: context])
    #expect(application.secret(query) == "gold")
    let silent = query.with([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])
    #expect(application.secret(silent) == "gold")
    #expect(application.update(silent, [kSecValueData: Data("silver".utf8)]) == errSecSuccess)
    #expect(application.secret(silent) == "silver")
    context.context.invalidate()
    #expect(application.status(query.with([kSecReturnData: true])) == errSecAuthFailed)
  }

  @Test("A7: changing a protected item asks, and what guards it can be changed")
  func updates() throws {
    let application = TestedApplication(device, driver: try device.ownerTouch())
    #expect(application.add(guarded) == errSecSuccess)
    let silent = password("bank").with([
      kSecUseAuthenticationUI: kSecUseAuthenticationUIFail
    ])
    #expect(
      application.update(silent, [kSecAttrLabel: "Bank"]) == errSecInteractionNotAllowed)
    #expect(application.update(password("bank"), [kSecAttrLabel: "Bank"]) == errSecSuccess)
    let nothing = accessControl([], kSecAttrAccessibleWhenUnlocked)
    #expect(
      application.update(password("bank"), [kSecAttrAccessControl: nothing]) == errSecSuccess)
    #expect(application.secret(silent) == "gold")
    let found = application.attributes(password("bank"))
    #expect(found?["accc"] == nil && found?["pdmn"] as? String == "ak")
    #expect(
      application.update(password("bank"), [kSecAttrAccessControl: accessControl(.biometryAny)])
        == errSecSuccess)
    #expect(application.status(silent.with([kSecReturnData: true])) == errSecInteractionNotAllowed)
  }

  @Test("L10: a stranger's finger is errSecAuthFailed, and gives nothing")
  func stranger() throws {
    let application = TestedApplication(device, driver: try device.strangerTouches(3))
    let item = guarded.with([kSecAttrAccessControl: accessControl(.biometryAny)])
    #expect(application.add(item) == errSecSuccess)
    let (status, object) = application.copy(password("bank").with([kSecReturnData: true]))
    #expect(status == errSecAuthFailed && object == nil)
  }
}

@Suite("A locked device, by SecItem", .timeLimit(.minutes(60)))
struct LockedDeviceTests {
  private let query: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecAttrService: "bank", kSecReturnData: true,
  ]

  private func prompting(_ query: [CFString: Any]) throws -> Prompting {
    try ItemRequest(query as CFDictionary).prompting
  }

  @Test("FINDINGS B1: a query with a context or prompt text asks to unlock, where it may ask")
  func asks() throws {
    let context = LentContext(TestedApplication(try TestHome()))
    #expect(try !prompting(query).unlocks)
    #expect(try prompting(query.with([kSecUseOperationPrompt: "Pay"])).unlocks)
    #expect(try prompting(query.with([kSecUseAuthenticationContext: context])).unlocks)
    let silent = try prompting(
      query.with([
        kSecUseOperationPrompt: "Pay", kSecUseAuthenticationUI: kSecUseAuthenticationUIFail,
      ]))
    #expect(!silent.isAllowed && !silent.unlocks)
  }

  @Test("FINDINGS B1: where nobody can be asked it answers −25308, whatever tape there is")
  func nobody() throws {
    let device = try TestHome()
    try device.setUp()
    let application = TestedApplication(device, driver: try device.ownerTouch())
    #expect(application.add(password("bank", "ann", secret: "gold")) == errSecSuccess)
    #expect(try device.authcore("lock").status == 0)
    for query in [query, query.with([kSecUseOperationPrompt: "Pay"])] {
      #expect(application.status(query) == errSecInteractionNotAllowed)
    }
    #expect(try device.authcore("status").json["locked"]?.bool == true)
  }
}
