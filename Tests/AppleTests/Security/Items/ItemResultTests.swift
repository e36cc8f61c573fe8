import Foundation
import Security
import TestSupport
import Testing

@Suite("What SecItem gives", .timeLimit(.minutes(60)))
struct ItemResultTests {
  let application: TestedApplication

  init() throws { application = TestedApplication(try TestHome()) }

  @Test("W2: one thing that is wanted of one item is the thing itself, several are a dictionary")
  func shapes() throws {
    #expect(application.add(password("mail", "ann", secret: "open sesame")) == errSecSuccess)
    let query = password("mail", "ann")
    #expect(application.status(query) == errSecSuccess)
    #expect(application.copy(query).object == nil)
    #expect(application.copy(query.with([kSecReturnData: true])).object is NSData)
    #expect(application.secret(query) == "open sesame")
    let attributes = application.copy(query.with([kSecReturnAttributes: true])).object
    #expect(attributes is NSDictionary)
    let persistent = try #require(
      application.copy(query.with([kSecReturnPersistentRef: true])).object as? Data)
    let both = try #require(
      application.copy(
        query.with([
          kSecReturnData: true, kSecReturnAttributes: true,
          kSecReturnPersistentRef: kCFBooleanTrue!,
        ])
      ).object as? [String: Any])
    #expect(both[kSecValueData as String] as? Data == Data("open sesame".utf8))
    #expect(both[kSecValuePersistentRef as String] as? Data == persistent)
    #expect(both[kSecAttrAccount as String] as? String == "ann")
    let noAttributes = try #require(
      application.copy(query.with([kSecReturnData: true, kSecReturnPersistentRef: true])).object
        as? [String: Any])
    #expect(Set(noAttributes.keys) == ["v_Data", "v_PersistentRef"])
    // Passwords have no reference.
    #expect(application.status(query.with([kSecReturnRef: true])) == errSecDataNotAvailable)
    let withReference = query.with([kSecReturnRef: true, kSecReturnAttributes: true])
    #expect((application.copy(withReference).object as? [String: Any])?["v_Ref"] == nil)
    #expect(application.status(withReference) == errSecSuccess)
  }

  @Test("W2: a limit of several gives an array, in the order of adding, of one the thing itself")
  func limits() throws {
    for name in ["a", "b", "c"] {
      #expect(application.add(password("shop", name, secret: name)) == errSecSuccess)
    }
    let query = password("shop")
    #expect(application.secret(query) == "a")
    #expect(application.secret(query.with([kSecMatchLimit: kSecMatchLimitOne])) == "a")
    #expect(application.secret(query.with([kSecMatchLimit: 1])) == "a")
    let data = query.with([kSecReturnData: true])
    let two = application.copy(data.with([kSecMatchLimit: 2])).object as? [Data]
    #expect(two == [Data("a".utf8), Data("b".utf8)])
    let all = application.copy(data.with([kSecMatchLimit: kSecMatchLimitAll])).object as? [Data]
    #expect(all?.count == 3)
    let more = application.copy(
      data.with([kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true]))
    let rows = try #require(more.object as? [[String: Any]])
    #expect(rows.map { $0["acct"] as? String } == ["a", "b", "c"])
    #expect(rows.map { $0["v_Data"] as? Data } == ["a", "b", "c"].map { Data($0.utf8) })
    let nothing = application.copy(query.with([kSecMatchLimit: kSecMatchLimitAll]))
    #expect(nothing.status == errSecSuccess && nothing.object == nil)
  }

  @Test("X5: attributes come back as texts, bytes, dates and integers, whatever was given")
  func attributeTypes() throws {
    let before = Date()
    let item = password("mail", "ann", secret: "x").with([
      kSecAttrLabel: "Mail", kSecAttrComment: "a comment", kSecAttrDescription: "a kind",
      kSecAttrGeneric: Data([1, 2]), kSecAttrIsInvisible: true, kSecAttrIsNegative: false,
      kSecAttrCreator: "auth", kSecAttrType: 7,
    ])
    #expect(application.add(item) == errSecSuccess)
    let found = try #require(application.attributes(password("mail")))
    for (key, value) in found {
      let isPlain = value is String || value is Data || value is Date || value is NSNumber
      #expect(isPlain, "\(key)")
    }
    #expect(found["invi"] as? Bool == true && found["invi"] as? Int == 1)
    #expect(found["nega"] as? NSNumber == 0 && found["sync"] as? Int == 0)
    #expect(found["sync"] as? Bool == false)
    #expect(found["gena"] as? Data == Data([1, 2]))
    #expect(found["crtr"] as? Int == 0x6175_7468 && found["type"] as? Int == 7)
    #expect(found["class"] as? String == kSecClassGenericPassword as String)
    #expect(found["pdmn"] as? String == kSecAttrAccessibleWhenUnlocked as String)
    #expect((found["agrp"] as? String)?.isEmpty == false)
    let created = try #require(found["cdat"] as? Date)
    #expect(created.timeIntervalSince(before) > -2 && created <= Date())
    #expect(found["accc"] == nil)
    // Also as a dictionary of other types.
    let object = application.copy(password("mail").with([kSecReturnAttributes: true])).object
    #expect((object as? [CFString: Any])?[kSecAttrLabel] as? String == "Mail")
    #expect((object as? [String: AnyHashable])?["labl"] == AnyHashable("Mail"))
    #expect((object as? [AnyHashable: Any])?[kSecAttrLabel] as? String == "Mail")
  }

  @Test("X5: an account of bytes comes back as bytes, one of text as text")
  func accounts() throws {
    let bytes = Data([0, 255, 65])
    #expect(
      application.add(password("mail", secret: "1").with([kSecAttrAccount: bytes])) == errSecSuccess
    )
    #expect(application.add(password("mail", "A", secret: "2")) == errSecSuccess)
    let accounts = application.all(password("mail")).map { $0["acct"] }
    #expect(accounts[0] as? Data == bytes && accounts[1] as? String == "A")
    #expect(application.secret(password("mail").with([kSecAttrAccount: bytes])) == "1")
    #expect(application.secret(password("mail", "A")) == "2")
  }

  @Test("W2: adding gives what is wanted of the item")
  func added() throws {
    let item = password("mail", "ann", secret: "s")
    let result = application.addedResult(
      item.with([kSecReturnAttributes: true, kSecReturnPersistentRef: true, kSecReturnData: true]))
    let added = try #require(result.object as? [String: Any])
    #expect(added["v_Data"] as? Data == Data("s".utf8) && added["acct"] as? String == "ann")
    let reference = try #require(added["v_PersistentRef"] as? Data)
    #expect(application.secret([kSecValuePersistentRef: reference]) == "s")
    #expect(application.addedResult(password("other", secret: "s")).object == nil)
    #expect(application.addedResult(item).status == errSecDuplicateItem)
  }

  @Test("X5: the attributes of a result are a query for the item, and a description of another")
  func resultAsQuery() throws {
    let item = password("mail", "ann", secret: "s").with([kSecAttrLabel: "Mail"])
    #expect(application.add(item) == errSecSuccess)
    let object = application.copy(password("mail").with([kSecReturnAttributes: true])).object
    let found = try #require(object as? [CFString: Any])
    #expect(application.secret(found) == "s")
    #expect(application.update(found, [kSecValueData: Data("t".utf8)]) == errSecSuccess)
    #expect(application.secret(password("mail")) == "t")
    #expect(application.update(password("mail"), found.with([kSecAttrLabel: "M"])) == errSecSuccess)
    #expect(application.delete(password("mail")) == errSecSuccess)
    #expect(application.add(found.with([kSecValueData: Data("u".utf8)])) == errSecSuccess)
    #expect(application.secret(password("mail")) == "u")
  }
}
