import Foundation
import TestSupport
import Testing

@Suite(
  "The window of the sample Chores",
  .onDesk,
  .enabled(if: Products.sample("ChoresWindow") != nil, "scripts/test-examples builds it"))
struct SampleWindowTests {
  private let home: TestHome
  private let data: TemporaryFolder
  private let desk: Desk

  /// The agent, and the sample's window beside it.
  init() throws {
    home = try TestHome()
    data = try TemporaryFolder()
    desk = try Desk()
    let set = try home.authcore("passcode", "set", passcode: TestHome.passcode)
    #expect(set.status == 0, "\(set.account)")
    try desk.start("authcore-agent", ["--home", home.home])
    try desk.waitForLock(on: home.home + "/agent.lock")
    try desk.start(
      try #require(Products.sample("ChoresWindow")),
      environment: [
        "AUTHCORE_HOME": home.home, "AUTHCORE_CORE": Products.program("authcored"),
        "AUTHCORE_SERVICE": "off", "AUTHCORE_TPM": "off", "XDG_DATA_HOME": data.url.path,
      ])
  }

  private func add(_ title: String) throws {
    try desk.find("text", "Add a Chore")
    try desk.type(title)
    try desk.key("Return")
  }

  @Test("L5: a program with a window has the owner asked by the agent, under its own name")
  func added() throws {
    try add("Walk the dog")
    let program: String = try #require(Products.sample("ChoresWindow"))
    // The kernel's own path of it, behind links; its middle is left out if it is long.
    let path = URL(fileURLWithPath: program).resolvingSymlinksInPath().path
    let place = path.count > 56 ? path.prefix(28) + "…" + path.suffix(27) : path[...]
    try desk.find(
      "label",
      "A program calling itself “ChoresWindow” (\(place)) wants you to confirm that it is you.")
    try desk.find("label", "It says: “Add “Walk the dog” to the chores”")
    try desk.type(TestHome.passcode)
    try desk.key("Return")
    try desk.find("label", "Added.")
    try desk.find("label", "Walk the dog")
    let file = try Data(contentsOf: data.url.appendingPathComponent("chores/chores.json"))
    #expect(String(decoding: file, as: UTF8.self).contains("Walk the dog"))
  }

  @Test("L10: what the owner refuses is not added; the button is called as the program wants")
  func refused() throws {
    try add("Eat the cake")
    try desk.press("Leave the list alone")
    try desk.find("label", "Nothing was added: you cancelled.")
    #expect(!FileManager.default.fileExists(atPath: data.url.path + "/chores/chores.json"))
  }
}
