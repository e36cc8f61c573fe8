import Foundation
import Security
import TestSupport
import Testing

@Suite("What SecItem looks at itself", .timeLimit(.minutes(60)))
struct ItemFilterTests {
  let application: TestedApplication

  init() throws { application = TestedApplication(try TestHome()) }

  private func accounts(_ query: [CFString: Any]) -> [String] {
    application.all(query).compactMap { $0["acct"] as? String }
  }

  @Test("X5: capital letters count as small ones where that is asked for")
  func caseInsensitive() {
    application.add(password("Mail", "Ann", secret: "1"))
    application.add(password("MAIL", "bob", secret: "2"))
    #expect(accounts(password("mail")) == [])
    let any = password("mail").with([kSecMatchCaseInsensitive: true])
    #expect(accounts(any) == ["Ann", "bob"])
    #expect(accounts(any.with([kSecAttrAccount: "BOB"])) == ["bob"])
    #expect(accounts(any.with([kSecMatchCaseInsensitive: false])) == [])
    #expect(application.secret(any.with([kSecAttrAccount: "ANN"])) == "1")
    let label: [CFString: Any] = [kSecAttrLabel: "x"]
    #expect(application.update(any.with([kSecAttrAccount: "BOB"]), label) == errSecSuccess)
    #expect(application.attributes(password("MAIL"))?["labl"] as? String == "x")
    #expect(application.delete(any.with([kSecAttrAccount: "ann"])) == errSecSuccess)
    #expect(accounts(any) == ["bob"])
    #expect(application.delete(any.with([kSecAttrAccount: "ann"])) == errSecItemNotFound)
  }

  @Test("X5: a server is meant by its host or what lies above it")
  func hosts() {
    for server in ["example.org", "imap.Example.org", "notexample.org", "example.com"] {
      let added = application.add([
        kSecClass: kSecClassInternetPassword, kSecAttrServer: server, kSecAttrAccount: server,
      ])
      #expect(added == errSecSuccess)
    }
    let query: [CFString: Any] = [
      kSecClass: kSecClassInternetPassword, kSecMatchHostOrSubdomainOfHost: "example.ORG",
    ]
    #expect(application.status(query) == errSecSuccess)
    let everything: [CFString: Any] = [kSecClass: kSecClassInternetPassword]
    #expect(application.all(everything).count == 4)
    #expect(accounts(query) == ["example.org", "imap.Example.org"])
    let generic = query.with([kSecClass: kSecClassGenericPassword])
    #expect(application.status(generic) == errSecParam)
  }

  @Test("X5: an item is meant by when it was added and changed")
  func dates() throws {
    application.add(password("mail", "ann", secret: "1"))
    let found = try #require(application.attributes(password("mail")))
    let created = try #require(found["cdat"] as? Date)
    #expect(accounts(password("mail").with([kSecAttrCreationDate: created])) == ["ann"])
    let later = created.addingTimeInterval(5)
    #expect(accounts(password("mail").with([kSecAttrCreationDate: later])) == [])
    let never = password("mail").with([kSecAttrModificationDate: Date.distantPast])
    #expect(application.delete(never) == errSecItemNotFound)
    // A time is not a change, and prevents none.
    let time: [CFString: Any] = [kSecAttrModificationDate: later]
    #expect(application.update(password("mail"), time) == errSecSuccess)
    #expect(application.update(password("none"), time) == errSecItemNotFound)
  }

  @Test("X5: of a list of references those items are meant that the query means, too")
  func lists() throws {
    for name in ["a", "b", "c"] { application.add(password("shop", name, secret: name)) }
    let all = password("shop").with([
      kSecReturnPersistentRef: true, kSecMatchLimit: kSecMatchLimitAll,
    ])
    let references = try #require(application.copy(all).object as? [Data])
    #expect(Set(references).count == 3)
    let some = password("shop").with([kSecMatchItemList: [references[2], references[0]]])
    #expect(accounts(some) == ["a", "c"])
    #expect(accounts(some.with([kSecAttrAccount: "b"])) == [])
    #expect(accounts(password("shop").with([kSecUseItemList: [references[1]]])) == ["b"])
    #expect(accounts(password("shop").with([kSecMatchItemList: [Data]()])) == [])
    #expect(application.delete(some) == errSecSuccess)
    #expect(accounts(password("shop")) == ["b"])
  }

  @Test("X5: unsupported conditions are refused, and those without effect accepted")
  func others() {
    application.add(password("mail", "ann", secret: "1"))
    let query = password("mail")
    for key in [kSecMatchPolicy, kSecMatchEmailAddressIfPresent, kSecUseCredentialReference] {
      #expect(application.status(query.with([key: "x"])) == errSecUnimplemented)
    }
    for key in [kSecMatchTrustedOnly, kSecUseSystemKeychain, kSecUseUserIndependentKeychain] {
      #expect(application.status(query.with([key: true])) == errSecUnimplemented)
      #expect(application.status(query.with([key: false])) == errSecSuccess)
    }
    for key in [kSecUseDataProtectionKeychain, kSecMatchSearchList, kSecUseCallerName] {
      #expect(application.status(query.with([key: true])) == errSecSuccess)
    }
  }
}
