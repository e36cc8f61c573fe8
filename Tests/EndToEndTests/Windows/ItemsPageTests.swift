import Foundation
import TestSupport
import Testing

@Suite("The settings window's page of items", .onDesk)
struct ItemsPageTests: SettingsDesk {
  let home: TestHome
  let desk: Desk

  init() throws { (home, desk) = (try TestHome(), try Desk()) }

  private func enterPasscode() throws {
    try enter()
    try desk.waitUntilGone("password text", "Passcode")
  }

  private func add(_ arguments: String..., secret: Data = Data("sesame".utf8)) throws {
    let added = try run(
      "authcore", ["--json", "--home", home.home, "item", "add"] + arguments, input: secret)
    #expect(added.status == 0, "\(added.account)")
  }

  @Test("FINDINGS B12: an item is added, shown after a proof, hidden, and removed after a question")
  func addShowRemove() throws {
    try beginWithPasscode()
    try open(page: "Items")
    try desk.find("list item", "Nothing is kept here")
    try desk.press("Add Item")
    try desk.write("door", into: "Service", role: "text")
    try desk.write("ada", into: "Account", role: "text")
    // From the service to the account, and to the secret.
    for _ in 1...2 { try desk.key("Return") }
    try type("ope n5esame", times: 2)
    try desk.press("Open door")
    try desk.find("label", "A finger or the passcode")
    try desk.press("Show")
    try enterPasscode()
    try desk.find("label", "ope n5esame")
    try desk.press("Hide")
    try desk.waitUntilGone("label", "ope n5esame")
    try desk.press("Remove Item")
    try desk.find("label", "Remove door / ada?")
    try desk.press("Remove")
    try desk.find("list item", "Nothing is kept here")
    let left = try home.authcore("item", "list")
    #expect(left.json["items"]?.array?.isEmpty == true, "\(left.account)")
  }

  @Test("FINDINGS B12: an item that nothing guards is shown after a proof all the same")
  func unguarded() throws {
    try beginWithPasscode()
    try add("door")
    try open(page: "Items")
    try desk.press("Open door")
    try desk.press("Show")
    try desk.find("password text", "Passcode")
    try desk.key("Escape")
    try desk.waitUntilGone("password text", "Passcode")
    try desk.find("label", "Hidden")
    try desk.press("Show")
    try enterPasscode()
    try desk.find("label", "sesame")
  }

  @Test("a shown secret is hidden when the page is left, and when the device locks")
  func hidden() throws {
    try beginWithPasscode()
    try add("door")
    try open(page: "Items")
    try desk.press("Open door")
    for isLocked in [false, true] {
      try desk.press("Show")
      try enterPasscode()
      try desk.find("label", "sesame")
      if isLocked {
        #expect(try home.authcore("lock").status == 0)
        try desk.find("label", "Unlock to see what is kept here.")
      } else {
        try desk.press("Fingers", role: "page tab")
        try desk.press("Items", role: "page tab")
        try desk.find("label", "Hidden")
      }
      try desk.waitUntilGone("label", "sesame")
    }
    try desk.press("Unlock")
    try enterPasscode()
    try desk.find("list item", "door")
  }

  @Test("FINDINGS B12: a secret is copied after a proof, and can be pasted into a new item")
  func copied() throws {
    try beginWithPasscode()
    try add("door")
    try open(page: "Items")
    try desk.press("Open door")
    try desk.press("Copy")
    try enterPasscode()
    try desk.find("label", "On the clipboard for 45 seconds")
    try desk.waitUntilGone("label", "sesame")
    try desk.press("Back")
    try desk.press("Add Item")
    // First of all, since a busy machine needs long for each step and the clipboard is cleared.
    try desk.press("Paste the Secret")
    try desk.write("window", into: "Service", role: "text")
    try desk.press("Ask each time", role: "check box")
    try desk.press("Add")
    try desk.find("list item", "window")
    let got = try home.authcore("item", "get", "window", json: false)
    #expect(got.text == "sesame", "\(got.account)")
  }

  @Test("FINDINGS B6: an item that makes one-time codes shows the code, and a counter goes on")
  func oneTimeCodes() throws {
    // RFC 4226, appendix D: the key and the first two codes.
    let key = "secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    try add("counted", secret: Data("otpauth://hotp/door?\(key)&counter=0".utf8))
    try add("timed", secret: Data("otpauth://totp/door?\(key)&period=86400".utf8))
    try open(page: "Items")
    try desk.press("Open counted")
    for code in ["755224", "287082"] {
      try desk.press("Show")
      try desk.find("label", code)
      try desk.find("label", "One-time code, good once")
      try desk.press("Hide")
    }
    try desk.key("Escape")
    let code = try home.authcore("otp", "timed", json: false)
    try desk.press("Open timed")
    try desk.press("Show")
    try desk.find("label", code.text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  @Test("names are shown as they are, and a secret that is not text is described")
  func hostileTexts() throws {
    let name = "<b>&amp;\u{202E}rood\u{1B}[2J"
    try add(
      "--class", "note", "--label", name, "--account", String(repeating: "long ", count: 150),
      secret: Data("a\n<i>\u{202E}b".utf8))
    try add("bytes", secret: Data([0xFF, 0xFE, 0x00]))
    try open(page: "Items")
    let shown = "<b>&amp;\u{FFFD}rood\u{FFFD}[2J"
    let row = try desk.find("list item", shown)
    #expect(row.right <= 720)
    try desk.press("Open \(shown)")
    try desk.press("Show")
    try desk.find("label", "a\n<i>\u{FFFD}b")
    try desk.key("Escape")
    try desk.press("Open bytes")
    try desk.press("Show")
    try desk.find("label", "3 bytes that are no text")
  }

  @Test("FINDINGS B12: items are searched and opened by the keyboard alone")
  func keyboard() throws {
    for name in ["door", "window", "wine cellar"] { try add(name) }
    try open(page: "Items")
    try desk.find("list item", "door")
    // The search has the keys.
    try desk.type("cel")
    try desk.waitUntilGone("list item", "door")
    for _ in 1...8 where try !desk.find("list item", "wine cellar").hasFocus {
      try desk.key("Tab")
    }
    try desk.key("Return")
    try desk.find("label", "Hidden")
    #expect(try desk.find("push button", "Show").hasFocus)
    try desk.key("space")
    try desk.find("label", "sesame")
  }
}
