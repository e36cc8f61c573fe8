import Foundation
import TestSupport
import Testing

@Suite("The settings window", .onDesk)
struct SettingsTests: SettingsDesk {
  let home: TestHome
  let desk: Desk

  init() throws { (home, desk) = (try TestHome(), try Desk()) }

  private func status() throws -> [String: ParsedJSON] { try home.authcore("status").json }

  private func names() throws -> [String?] {
    try home.authcore("finger", "list").json["fingers"]?.array?.map { $0["name"]?.string } ?? []
  }

  @Test("the first passcode is set if it is typed twice alike, and the device is unlocked")
  func setPasscode() throws {
    try open(page: "Passcode")
    try desk.press("Set Passcode")
    try desk.find("password text", "New passcode")
    try type("correct horse")
    try type("correct house")
    try desk.find("label", "The two are not the same.")
    try type("correct horse", times: 2)
    try desk.find("list item", "A passcode is set")
    try desk.find("list item", "Unlocked")
    #expect(try home.authcore("lock").status == 0)
    #expect(try home.authcore("unlock", passcode: "correct horse").status == 0)
  }

  @Test("FINDINGS B12: a first start leads through the passcode and then the finger")
  func firstStart() throws {
    try open(try home.tape(Array(Prints.owner.get().prefix(6))))
    try desk.find("label", "Set a passcode first: fingers stand in for it.")
    try desk.press("Set Passcode")
    try desk.find("password text", "New passcode")
    try type(TestHome.passcode, times: 2)
    try desk.press("Continue")
    try enter()
    try desk.find("list item", "Finger 1")
    #expect(try names() == ["Finger 1"])
  }

  @Test("FINDINGS B12: an invalid name for a finger is refused")
  func longName() throws {
    try beginWithPasscode()
    try open()
    try desk.press("Add Finger")
    try desk.write(String(repeating: "a", count: 65), into: "Name")
    try desk.find("label", "A name has at most 64 characters.")
    #expect(try !desk.find("push button", "Continue").isEnabled)
    try desk.write("", into: "Name")
    try desk.find("label", "A finger needs a name.")
    try desk.write("thumb", into: "Name")
    try desk.waitUntilGone("label", "A finger needs a name.")
    #expect(try desk.find("push button", "Continue").isEnabled)
  }

  @Test("a passcode that is too short is refused in the window")
  func shortPasscode() throws {
    try open(page: "Passcode")
    try desk.press("Set Passcode")
    try desk.find("password text", "New passcode")
    try type("abc", times: 2)
    try desk.find("label", "That is too short.")
    try desk.key("Escape")
    try desk.waitUntilGone("password text", "New passcode")
    try desk.find("list item", "No passcode is set")
  }

  @Test("a finger is added by the passcode and touches, and the window says how much is known")
  func addFinger() throws {
    try beginWithPasscode()
    try open(try home.tape(Array(Prints.owner.get().prefix(6))))
    try desk.press("Add Finger")
    try desk.write("Left thumb", into: "Name")
    try desk.press("Continue")
    try enter()
    try desk.find("list item", "Left thumb")
    try desk.waitUntilGone("password text", "Passcode")
    #expect(try names() == ["Left thumb"])
  }

  @Test(
    "X6: on a reader that matches on the chip the owner says first what the finger may open",
    arguments: [("Open Items, Too", true), ("Only Unlock", false)])
  func addFingerOnChip(answer: String, opensItems: Bool) throws {
    try beginWithPasscode()
    try open("elanchip:device=simulated")
    try desk.press("Add Finger")
    try desk.write("thumb", into: "Name")
    try desk.press("Continue")
    try desk.find("label", "This reader compares prints itself")
    try desk.press(answer)
    try enter()
    try desk.find("list item", "thumb")
    let finger = try home.authcore("finger", "list").json["fingers"]?.array?.first
    #expect(finger?["opensItems"]?.bool == opensItems, "\(String(describing: finger))")
  }

  @Test("a wrong passcode is reported, and Escape ends the prompt silently")
  func wrongPasscode() throws {
    try beginWithPasscode()
    try open()
    try desk.press("Add Finger")
    try desk.press("Continue")
    try enter("wrong horse")
    try desk.find("label", "That is not the passcode.")
    try desk.key("Escape")
    try desk.waitUntilGone("password text", "Passcode")
    try desk.find("list item", "No finger is enrolled")
    #expect(try names().isEmpty)
  }

  @Test("the finger that touches is named")
  func identify() throws {
    try home.setUp()
    try open(try home.ownerTouch())
    try desk.press("Touch")
    try desk.find("label", "That is right-index.")
    try desk.press("Stop")
    try desk.find("push button", "Touch")
  }

  @Test("a stranger's touch is not recognized, counts once, and is not asked for again")
  func identifyStranger() throws {
    try home.setUp()
    try open(try home.strangerTouches(5))
    try desk.press("Touch")
    try desk.find("label", "Not recognized.")
    try desk.find("push button", "Touch")
    #expect(try status()["biometry"]?["failures"]?.number == 1)
  }

  @Test("a finger is renamed, to whatever a person types")
  func rename() throws {
    try home.setUp()
    try open()
    try desk.press("Rename right-index")
    try desk.write("<b>&amp; Zeigefinger</b>", into: "Name")
    try desk.press("Rename")
    try enter()
    try desk.find("list item", "<b>&amp; Zeigefinger</b>")
    #expect(try names() == ["<b>&amp; Zeigefinger</b>"])
  }

  @Test("a finger is removed after a question and the passcode")
  func remove() throws {
    try home.setUp()
    try open()
    try desk.press("Remove right-index")
    try desk.press("Remove")
    try enter()
    try desk.find("list item", "No finger is enrolled")
    #expect(try names().isEmpty)
  }

  @Test("FINDINGS B2: before a finger comes or goes the window says what that closes for good")
  func closing() throws {
    try home.setUp()
    #expect(
      try home.authcore("item", "add", "bank", "--access", "biometry-current", secret: "gold")
        .status == 0)
    try open()
    let closing = "This closes 1 item or key for good, which only the fingers of today open:\nbank"
    try desk.press("Remove right-index")
    try desk.find("label", closing)
    try desk.press("Cancel")
    try desk.press("Add Finger")
    try desk.find(
      "label",
      closing + "\n\nThen touch the reader again and again, each time a little differently, until "
        + "enough of the finger is known.")
    try desk.press("Cancel")
    #expect(try names() == ["right-index"])
  }

  @Test("lock now locks, and the passcode unlocks again")
  func lock() throws {
    try home.setUp()
    try open(page: "Passcode")
    try desk.find("label", "Lock Automatically")
    try desk.find("label", "After 15 min")
    let change = try home.authcore("settings", "lock-after", "5")
    #expect(change.status == 0, "\(change.account)")
    try desk.find("label", "After 5 min")
    try desk.press("Lock Now")
    try desk.find("list item", "Locked")
    #expect(try status()["locked"]?.bool == true)
    try desk.press("Unlock")
    try enter()
    try desk.find("list item", "Unlocked")
    #expect(try status()["locked"]?.bool == false)
  }

  @Test("the passcode is changed after the old one, and removed with all fingers")
  func changeAndRemove() throws {
    try home.setUp()
    try open(page: "Passcode")
    try desk.press("Change")
    try desk.find("password text", "New passcode")
    try type("battery staple", times: 2)
    try enter()
    try desk.waitUntilGone("password text", "Passcode")
    try desk.press("Remove")
    try desk.find("label", "Remove the passcode?")
    // The page has a button of the same name, below. Cancel has the keys.
    try desk.key("Tab")
    try desk.key("space")
    try enter("battery staple")
    try desk.find("list item", "No passcode is set")
    #expect(try status()["passcodeSet"]?.bool == false)
  }

  @Test("everything can be reached by the keyboard alone")
  func keyboard() throws {
    try beginWithPasscode()
    try open(try home.tape(Array(Prints.owner.get().prefix(6))))
    try desk.find("push button", "Add Finger")
    var steps = 0
    while try !desk.find("push button", "Add Finger").hasFocus, steps < 20 {
      try desk.key("Tab")
      steps += 1
    }
    try desk.key("space")
    try desk.find("text", "Name")
    try desk.key("Return")
    try enter()
    try desk.find("list item", "Finger 1")
  }

  @Test("--help and --version are answered without a display, and other arguments are wrong")
  func arguments() throws {
    let version = try run("authcore-settings", ["--version"])
    #expect(
      version.status == 0 && version.text.hasPrefix("authcore-settings "), "\(version.account)")
    let help = try run("authcore-settings", ["--help"])
    #expect(help.status == 0 && help.text.hasPrefix("Usage: authcore-settings"), "\(help.account)")
    let wrong = try run("authcore-settings", ["--nonsense"])
    #expect(wrong.status == 64, "\(wrong.account)")
    #expect(wrong.errors.contains("unknown argument: --nonsense"))
    #expect(try run("authcore-settings", []).status == 2)
  }

  @Test("an unreachable core is reported with what to do")
  func unreachable() throws {
    let file = try home.folder.write("file", Data())
    try desk.start(
      "authcore-settings", environment: ["AUTHCORE_HOME": file.path, "AUTHCORE_TPM": "off"])
    try desk.find("dialog", "That did not work")
    try desk.press("Close")
    try desk.waitUntilGone("dialog", "That did not work")
  }

  @Test("a core that ends while the window is open is started again")
  func restarted() throws {
    try home.setUp()
    try open()
    try desk.find("list item", "right-index")
    #expect(try home.authcore("quit").status == 0)
    try desk.press("Remove right-index")
    try desk.press("Remove")
    try enter()
    try desk.find("list item", "No finger is enrolled")
  }
}
