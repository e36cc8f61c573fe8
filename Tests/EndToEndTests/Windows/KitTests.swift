import Foundation
import TestSupport
import Testing

@Suite("Windows", .onDesk)
struct WindowTests {
  private func exercise(_ environment: [String: String] = [:]) throws -> Desk {
    let desk = try Desk()
    try desk.start("exercise", ["windows"], environment: environment)
    return desk
  }

  @Test("a passcode is typed on the keyboard, letter by letter, and no GTK text ever holds it")
  func passcode() throws {
    let desk = try exercise()
    let entry = try desk.find("password text", "Passcode")
    #expect(entry.hasFocus)
    try desk.type("s3cret")
    try desk.find("label", "typed 6")
    try desk.key("BackSpace")
    try desk.find("label", "typed 5")
    #expect(try desk.find("password text", "Passcode").text?.contains("s") != true)
    try desk.type("T!")
    try desk.key("Return")
    try desk.find("label", "submitted s3creT!")
  }

  @Test("text that a screen reader or an input method writes into the field is no passcode")
  func writtenIntoTheField() throws {
    let desk = try exercise()
    try desk.find("password text", "Passcode")
    try? desk.write("injected", into: "Passcode", role: "password text")
    try desk.type("ab")
    try desk.key("Return")
    try desk.find("label", "submitted ab")
  }

  @Test("FINDINGS F: no keyring, portal or other service of the machine starts on a desk")
  func nothingElse() throws {
    #expect(try Desk().startable() == ["org.a11y.Bus"])
  }

  @Test("work on another thread comes back to the main thread, and a text is filled in")
  func background() throws {
    let desk = try exercise()
    try desk.press("Work")
    try desk.find("label", "The sum is 500500.")
  }

  @Test("a question shows any text as it is, and its answer is reported")
  func question() throws {
    let desk = try exercise()
    try desk.press("Ask")
    try desk.find("label", "A <question> & more")
    try desk.press("Yes")
    try desk.find("label", "answered Yes")
    try desk.waitUntilGone("dialog", "Really?")
  }

  @Test("what lies on the clipboard is taken back after its time, and something else stays there")
  func clipboard() throws {
    let desk = try exercise()
    try desk.press("Copy")
    try desk.find("label", "taken back")
    try desk.press("Copy Twice")
    try desk.find("label", "the other stays")
  }

  @Test("FINDINGS B12: an answer that cannot be undone does not have the keys")
  func destructiveAnswer() throws {
    let desk = try exercise()
    try desk.press("Ask")
    try desk.find("label", "A <question> & more")
    #expect(try desk.find("push button", "No").hasFocus)
    #expect(try !desk.find("push button", "Yes").hasFocus)
    try desk.key("Return")
    try desk.find("label", "answered No")
  }

  @Test("FINDINGS B12: Ctrl+W and Ctrl+Q close the window", arguments: ["w", "q"])
  func closingKeys(key: String) throws {
    let desk = try exercise()
    try desk.find("password text", "Passcode")
    try desk.key(key, held: "Control_L")
    #expect(try desk.end().status == 0)
  }

  @Test("Escape closes the window, and the program ends by itself")
  func escape() throws {
    let desk = try exercise()
    try desk.find("password text", "Passcode")
    try desk.key("Escape")
    let end = try desk.end()
    #expect(end.status == 0)
    #expect(end.output.hasSuffix("ended\n"), "\(end.output)")
  }

  @Test("without a display the program says so and ends")
  func noDisplay() throws {
    let end = try run("exercise", ["windows"])
    #expect(end.status == 0)
    #expect(end.text == "no display\n")
  }
}
