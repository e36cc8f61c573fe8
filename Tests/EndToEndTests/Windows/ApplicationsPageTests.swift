import TestSupport
import Testing

@Suite("The settings window's page of applications", .onDesk)
struct ApplicationsPageTests: SettingsDesk {
  let home: TestHome
  let desk: Desk

  init() throws { (home, desk) = (try TestHome(), try Desk()) }

  @Test(
    "K2: an application is listed with what it keeps, and forgotten after a question and a proof")
  func forget() throws {
    try home.setUp()
    let added = try home.authcore("item", "add", "--service", "door", secret: "1234")
    #expect(added.status == 0, "\(added.account)")
    try open(page: "Applications")
    try desk.find("list item", "authcore")
    try desk.find("label", "1 item")
    try desk.press("Forget authcore")
    try desk.find("label", "Forget authcore?")
    try desk.press("Forget")
    try enter()
    try desk.find("list item", "No application keeps anything here")
    let left = try home.authcore("item", "list")
    #expect(left.json["items"]?.array?.isEmpty == true, "\(left.account)")
  }

  @Test("K2: what the items of an application are called is shown after a proof")
  func items() throws {
    try home.setUp()
    let added = try home.authcore(
      "item", "add", "--service", "door", "--account", "ada", secret: "1234")
    #expect(added.status == 0, "\(added.account)")
    try open(page: "Applications")
    try desk.press("Show the items of authcore")
    try enter()
    try desk.find("list item", "door")
    try desk.find("label", "ada")
    try desk.key("Escape")
    try desk.find("list item", "authcore")
  }

  @Test("while the device is locked the page says so, and lists again after the unlock")
  func locked() throws {
    try home.setUp()
    #expect(try home.authcore("item", "add", "--service", "door", secret: "1234").status == 0)
    #expect(try home.authcore("lock").status == 0)
    try open(page: "Applications")
    try desk.find(
      "label", "Unlock on the page “Passcode” to see which applications there are.")
    #expect(try home.authcore("unlock", passcode: TestHome.passcode).status == 0)
    try desk.find("list item", "authcore")
  }
}
