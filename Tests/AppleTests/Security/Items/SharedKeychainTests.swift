import Foundation
import Security
import TestSupport
import Testing

@Suite("SecItem beside others", .timeLimit(.minutes(15)))
struct SharedKeychainTests {
  let application: TestedApplication

  init() throws { application = TestedApplication(try TestHome()) }

  @Test("X5: a hundred tasks at once add, find, change and delete each its own item")
  func manyTasks() async {
    let rights = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask { [application] in
          let query = password("task", "\(number)")
          let added = application.add(query.with([kSecValueData: Data("\(number)".utf8)]))
          let got = application.secret(query)
          let changed = application.update(query, [kSecValueData: Data("x\(number)".utf8)])
          let gotAgain = application.secret(query)
          let removed = application.delete(query)
          return added == errSecSuccess && got == "\(number)" && changed == errSecSuccess
            && gotAgain == "x\(number)" && removed == errSecSuccess
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(rights == 100)
  }

  @Test("K2: the items of the command are not the application's, and those of a group are both's")
  func commandsItems() throws {
    let device = application.device
    #expect(try device.authcore("item", "add", "mail", "ann", secret: "theirs").status == 0)
    #expect(application.status(password("mail")) == errSecItemNotFound)
    #expect(
      try device.authcore("item", "add", "mail", "ann", "--group", "post", secret: "both's").status
        == 0)
    let query = password("mail").with([kSecAttrAccessGroup: "post"])
    #expect(application.secret(query) == "both's")
    let always = password("old", "ann", secret: "x").with([
      kSecAttrAccessGroup: "post", kSecAttrAccessible: kSecAttrAccessibleAlways,
    ])
    #expect(application.add(always) == errSecSuccess)
    let shown = try device.authcore("item", "find", "old", "--group", "post")
    #expect(shown.text.contains("after-first-unlock") && shown.text.contains("statedAccessibility"))
    let refused = try device.authcore(
      "item", "find", "--group", "post", "--attribute", "statedAccessibility=dk")
    #expect(refused.status == 64)
  }

  @Test("K6: while the device is locked what is closed is errSecInteractionNotAllowed")
  func locked() throws {
    let device = application.device
    try device.setUp()
    #expect(application.add(password("mail", secret: "closed")) == errSecSuccess)
    let open = password("news", secret: "open").with([
      kSecAttrAccessible: kSecAttrAccessibleAlways
    ])
    #expect(application.add(open) == errSecSuccess)
    #expect(try device.authcore("lock").status == 0)
    let query = password("mail").with([kSecReturnData: true])
    #expect(application.status(query) == errSecInteractionNotAllowed)
    #expect(application.add(password("more", secret: "x")) == errSecInteractionNotAllowed)
    #expect(application.secret(password("news")) == "open")
    #expect(application.attributes(password("news"))?["pdmn"] as? String == "dk")
  }

  @Test("X5: a core that is killed is started again by the next call")
  func killed() throws {
    application.add(password("mail", secret: "x"))
    let core = try #require(application.device.core)
    kill(core, SIGKILL)
    while application.device.core == core { sched_yield() }
    let status = application.status(password("mail"))
    #expect([errSecSuccess, errSecNotAvailable].contains(status))
    #expect(application.secret(password("mail")) == "x")
  }
}
