import Foundation
import Security
import TestSupport
import Testing

@Suite("An item's life by SecItem", .timeLimit(.minutes(60)))
struct ItemLifeTests {
  let application: TestedApplication

  init() throws { application = TestedApplication(try TestHome()) }

  @Test("K8: query first; if there is nothing, add; if it changed, update; delete")
  func flow() {
    let query = password("mail", "ann")
    #expect(application.status(query) == errSecItemNotFound)
    #expect(application.update(query, [kSecValueData: Data("x".utf8)]) == errSecItemNotFound)
    #expect(application.add(query.with([kSecValueData: Data("one".utf8)])) == errSecSuccess)
    #expect(application.update(query, [kSecValueData: Data("two".utf8)]) == errSecSuccess)
    #expect(application.secret(query) == "two")
    #expect(application.update(query, [kSecAttrLabel: "Mail"]) == errSecSuccess)
    #expect(application.attributes(query)?["labl"] as? String == "Mail")
    #expect(application.secret(query) == "two")
    #expect(application.update(query, [kSecAttrAccount: "bob"]) == errSecSuccess)
    #expect(application.status(query) == errSecItemNotFound)
    #expect(application.secret(password("mail", "bob")) == "two")
    #expect(application.delete(password("mail", "bob")) == errSecSuccess)
    #expect(application.delete(password("mail", "bob")) == errSecItemNotFound)
  }

  @Test("K1: generic passwords differ in account, service, group or being synchronizable")
  func genericKey() {
    let item = password("mail", "ann", secret: "1")
    #expect(application.add(item) == errSecSuccess)
    #expect(application.add(item.with([kSecAttrLabel: "other"])) == errSecDuplicateItem)
    for other: [CFString: Any] in [
      [kSecAttrAccount: "bob"], [kSecAttrService: "post"], [kSecAttrAccessGroup: "team"],
      [kSecAttrSynchronizable: true],
    ] {
      #expect(application.add(item.with(other)) == errSecSuccess, "\(other)")
      #expect(application.add(item.with(other)) == errSecDuplicateItem, "\(other)")
    }
  }

  @Test("K1: internet passwords differ in what names a place on a server")
  func internetKey() {
    let item: [CFString: Any] = [
      kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.org", kSecAttrAccount: "ann",
      kSecAttrProtocol: kSecAttrProtocolFTP, kSecAttrPort: 443, kSecAttrPath: "/",
      kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTTPBasic,
      kSecAttrSecurityDomain: "realm", kSecValueData: Data("1".utf8),
    ]
    #expect(application.add(item) == errSecSuccess)
    #expect(application.add(item.with([kSecAttrLabel: "x"])) == errSecDuplicateItem)
    for other: [CFString: Any] in [
      [kSecAttrServer: "example.com"], [kSecAttrAccount: "bob"],
      [kSecAttrProtocol: kSecAttrProtocolHTTPS], [kSecAttrPort: 8443], [kSecAttrPath: "/a"],
      [kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTMLForm],
      [kSecAttrSecurityDomain: "other"], [kSecAttrSynchronizable: kCFBooleanTrue!],
    ] {
      #expect(application.add(item.with(other)) == errSecSuccess, "\(other)")
    }
    let query: [CFString: Any] = [
      kSecClass: kSecClassInternetPassword, kSecAttrProtocol: kSecAttrProtocolFTP,
      kSecAttrPort: "443",
    ]
    let found = application.attributes(query)
    #expect(found?["ptcl"] as? String == "ftp " && found?["port"] as? Int == 443)
  }

  @Test("K1: queries mean what is not synchronizable, unless they say otherwise")
  func synchronizable() {
    #expect(application.add(password("mail", "ann", secret: "here")) == errSecSuccess)
    let item = password("mail", "ann", secret: "everywhere")
    #expect(application.add(item.with([kSecAttrSynchronizable: true])) == errSecSuccess)
    let query = password("mail")
    #expect(application.secret(query) == "here")
    #expect(application.secret(query.with([kSecAttrSynchronizable: true])) == "everywhere")
    let either = query.with([kSecAttrSynchronizable: kSecAttrSynchronizableAny])
    #expect(application.all(either).count == 2)
    #expect(application.all(either).map { $0["sync"] as? Int } == [0, 1])
    #expect(application.delete(query) == errSecSuccess)
    #expect(application.all(either).count == 1)
    #expect(application.update(either, [kSecAttrSynchronizable: false]) == errSecSuccess)
    #expect(application.secret(query) == "everywhere")
  }

  @Test("W2: a deletion concerns all that match, an update too")
  func several() {
    for name in ["a", "b", "c"] { application.add(password("shop", name, secret: name)) }
    application.add(password("mail", "a", secret: "mail"))
    #expect(application.update(password("shop"), [kSecAttrComment: "seen"]) == errSecSuccess)
    #expect(
      application.all([kSecClass: kSecClassGenericPassword, kSecAttrComment: "seen"]).count == 3)
    let same = application.update(password("shop"), [kSecAttrAccount: "same"])
    #expect(same == errSecDuplicateItem)
    #expect(application.all(password("shop")).count == 3)
    #expect(application.delete(password("shop")) == errSecSuccess)
    #expect(application.all([kSecClass: kSecClassGenericPassword]).count == 1)
    #expect(application.delete([kSecClass: kSecClassGenericPassword]) == errSecSuccess)
    #expect(application.status([kSecClass: kSecClassGenericPassword]) == errSecItemNotFound)
  }

  @Test("X5: what is added deletes what is in its way, with the same dictionary")
  func deleteThenAdd() {
    let item = password("mail", "ann", secret: "one").with([
      kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock
    ])
    #expect(application.delete(item) == errSecItemNotFound)
    #expect(application.add(item) == errSecSuccess)
    let other = item.with([kSecValueData: Data("two".utf8)])
    #expect(application.delete(other) == errSecSuccess)
    #expect(application.add(other) == errSecSuccess)
    #expect(application.secret(password("mail")) == "two")
  }

  @Test("X5: an update may say again what is so already, beside another secret")
  func sameAgain() {
    let query = password("mail", "ann").with([
      kSecAttrSynchronizable: kSecAttrSynchronizableAny
    ])
    #expect(application.add(password("mail", "ann", secret: "one")) == errSecSuccess)
    let same: [CFString: Any] = [
      kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked, kSecAttrSynchronizable: false,
      kSecAttrService: "mail", kSecAttrLabel: "Mail",
    ]
    let two = same.with([kSecValueData: Data("two".utf8)])
    #expect(application.update(query, two) == errSecSuccess)
    #expect(application.secret(query) == "two")
    let moved = two.with([
      kSecAttrSynchronizable: true, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
    ])
    #expect(application.update(query, moved) == errSecSuccess)
    let found = application.attributes(query)
    #expect(found?["sync"] as? Int == 1 && found?["pdmn"] as? String == "ck")
    #expect(application.secret(query) == "two")
    #expect(application.status(password("mail", "ann")) == errSecItemNotFound)
    #expect(application.update(query, same) == errSecSuccess)
    #expect(application.secret(password("mail", "ann")) == "two")
  }

  @Test("A5: every class of accessibility is kept and read back, the deprecated ones too")
  func accessibility() {
    let classes: [CFString] = [
      kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleAfterFirstUnlock,
      kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
      kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, kSecAttrAccessibleAlways,
      kSecAttrAccessibleAlwaysThisDeviceOnly,
    ]
    for name in classes {
      let item = password("mail", name as String, secret: "x")
      #expect(application.add(item.with([kSecAttrAccessible: name])) == errSecSuccess)
    }
    for name in classes {
      let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccessible: name]
      let found = application.all(query)
      #expect(found.map { $0["acct"] as? String } == [name as String])
      #expect(found.first?["pdmn"] as? String == name as String)
    }
    let always = password("mail", kSecAttrAccessibleAlways as String)
    #expect(
      application.update(always, [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])
        == errSecSuccess)
    #expect(application.attributes(always)?["pdmn"] as? String == "ck")
    #expect(
      application.update(always, [kSecAttrAccessible: kSecAttrAccessibleAlwaysThisDeviceOnly])
        == errSecSuccess)
    #expect(application.attributes(always)?["pdmn"] as? String == "dku")
  }

  @Test("X5: an item may be called synchronizable although its class stays on this device")
  func synchronizableAndHere() {
    let classes: [CFString] = [
      kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
      kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, kSecAttrAccessibleAlwaysThisDeviceOnly,
    ]
    for name in classes {
      let both: [CFString: Any] = [kSecAttrSynchronizable: true, kSecAttrAccessible: name]
      let here = password("added", name as String)
      let item = here.with([kSecValueData: Data("x".utf8)])
      #expect(application.add(item.with(both)) == errSecSuccess)
      #expect(application.status(here) == errSecItemNotFound)
      let added = application.attributes(here.with([kSecAttrSynchronizable: true]))
      #expect(added?["sync"] as? Int == 1 && added?["pdmn"] as? String == name as String)
      let changed = password("changed", name as String)
      #expect(application.add(changed.with([kSecValueData: Data("y".utf8)])) == errSecSuccess)
      #expect(application.update(changed, both) == errSecSuccess)
      let found = application.attributes(changed.with([kSecAttrSynchronizable: true]))
      #expect(found?["sync"] as? Int == 1 && found?["pdmn"] as? String == name as String)
    }
  }

  @Test("FINDINGS B13: a protected item without a passcode fails with a text that says so")
  func withoutPasscode() throws {
    let item = password("bank", "ann", secret: "gold").with([
      kSecAttrAccessControl: accessControl(.userPresence)
    ])
    let status = application.add(item)
    #expect(status == errSecAuthFailed)
    let text = try #require(SecCopyErrorMessageString(status, nil) as String?)
    #expect(text.contains("no passcode is set"), "\(text)")
    #expect(application.status(password("bank")) == errSecItemNotFound)
  }

  @Test("K2: a group of any name works on demand, and is the one that is named")
  func groups() throws {
    let item = password("mail", "ann", secret: "ours")
    #expect(application.add(item.with([kSecAttrAccessGroup: "TEAM.example"])) == errSecSuccess)
    let query = password("mail").with([kSecAttrAccessGroup: "TEAM.example"])
    #expect(application.secret(query) == "ours")
    #expect(application.attributes(query)?["agrp"] as? String == "TEAM.example")
    let reference = try #require(
      application.copy(query.with([kSecReturnPersistentRef: true])).object as? Data)
    #expect(application.secret([kSecValuePersistentRef: reference]) == "ours")
    let strange = password("mail").with([kSecAttrAccessGroup: "/usr/bin/another"])
    #expect(application.status(strange) == errSecMissingEntitlement)
    #expect(application.update(query, [kSecAttrAccessGroup: "other"]) == errSecSuccess)
    #expect(application.status(query) == errSecItemNotFound)
  }
}
