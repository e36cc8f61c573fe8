import Foundation
import TestSupport
import Testing

@Suite("The dialog of authcore-agent", .onDesk)
struct DialogTests {
  /// A person's keychain, with a desk on which the agent of its core runs.
  private struct Session {
    let home = Result { try TestHome() }
    let desk: Desk

    init(
      setUp: (TestHome) throws -> Void, environment: [String: String] = [:], dotsPerInch: Int = 96
    ) throws {
      let home = try home.get()
      try setUp(home)
      desk = try Desk(dotsPerInch: dotsPerInch)
      try desk.start("authcore-agent", ["--home", home.home], environment: environment)
      // From here on its core knows that it is about to come.
      try desk.waitForLock(on: home.home + "/agent.lock")
    }

    /// With a passcode and no finger.
    init(environment: [String: String] = [:]) throws {
      try self.init(
        setUp: { home in
          let set = try home.authcore("passcode", "set", passcode: TestHome.passcode)
          #expect(set.status == 0, "\(set.account)")
        }, environment: environment)
    }

    /// A command that has no terminal to ask on.
    func asking(_ reason: String, driver: String? = nil) throws -> BackgroundRun {
      let named = driver.map { ["--driver", $0] } ?? []
      return BackgroundRun(
        "authcore",
        ["--json", "--home", try home.get().home] + named + ["auth", "--reason", reason])
    }

    func typePasscode(_ passcode: String = TestHome.passcode) throws {
      try desk.type(passcode)
      try desk.key("Return")
    }
  }

  @Test("L5: a program without a terminal is asked for in a window: who, why, and the passcode")
  func passcode() throws {
    let session = try Session()
    let run = try session.asking("see the door code")
    #expect(try session.desk.find("password text", "Passcode").hasFocus)
    try session.desk.find("label", "authcore wants you to confirm that it is you.")
    try session.desk.find("label", "It says: “see the door code”")
    #expect(try !session.desk.find("push button", "Continue").isEnabled)
    try session.typePasscode("wrong")
    try session.desk.find("label", "That is not the passcode.")
    try session.typePasscode()
    let end = try run.end()
    #expect(end.status == 0 && end.json["by"]?.string == "passcode", "\(end.account)")
    try session.desk.waitUntilGone("password text")
  }

  @Test("L5: a touch is seen to match, and a stranger's to miss; the window goes by itself")
  func touch() throws {
    let session = try Session(setUp: { try $0.setUp() })
    let home = try session.home.get()
    let (stranger, owner) = (try Prints.stranger.get()[0], try Prints.owner.get()[6])
    let tape = try home.tape(["touch \(stranger.path)", "wait 5s", "touch \(owner.path)"])
    let run = try session.asking("see the door code", driver: tape + ",pace=1")
    try session.desk.see(
      "label", "Not recognized; 2 more tries.", become: "right-index recognized.")
    let end = try run.end()
    #expect(end.status == 0 && end.json["by"]?.string == "biometry", "\(end.account)")
    try session.desk.waitUntilGone("image", "Fingerprint")
  }

  @Test("A5: what to do about the next touch is said, and the passcode may be typed meanwhile")
  func adviceAndPasscode() throws {
    let session = try Session(setUp: { try $0.setUp() })
    let tape = try session.home.get().tape(["noise too-dry"]) + ",hold=1"
    let run = try session.asking("see the door code", driver: tape)
    try session.desk.find("label", "Too dry: press a little harder, or moisten the finger.")
    try session.desk.find("image", "Fingerprint")
    try session.typePasscode()
    let end = try run.end()
    #expect(end.status == 0 && end.json["by"]?.string == "passcode", "\(end.account)")
  }

  @Test("L10: Cancel and Escape end the request", arguments: [true, false])
  func cancel(byKey: Bool) throws {
    let session = try Session()
    let run = try session.asking("see the door code")
    try session.desk.find("password text", "Passcode")
    if byKey { try session.desk.key("Escape") } else { try session.desk.press("Cancel") }
    #expect(try run.end().errorName == "userCancel")
    try session.desk.waitUntilGone("password text")
  }

  @Test("Caps Lock is shown while a passcode is typed")
  func capsLock() throws {
    let session = try Session()
    let run = try session.asking("see the door code")
    try session.desk.find("password text", "Passcode")
    try session.desk.key("Caps_Lock")
    try session.desk.find("label", "Caps Lock is on.")
    try session.desk.key("Caps_Lock")
    try session.desk.waitUntilGone("label", "Caps Lock is on.")
    try session.desk.press("Cancel")
    _ = try run.end()
  }

  @Test(
    "nothing is cut off at any text size", arguments: [96, 192])
  func size(dotsPerInch: Int) throws {
    let session = try Session(setUp: { try $0.setUp() }, dotsPerInch: dotsPerInch)
    let tape = try session.home.get().tape(["noise too-dry"]) + ",hold=1"
    let run = try session.asking("see the door code", driver: tape)
    let advice = try session.desk.find(
      "label", "Too dry: press a little harder, or moisten the finger.")
    let window = try session.desk.find("frame", "Authentication")
    let button = try session.desk.find("push button", "Continue")
    #expect(button.bottom < window.bottom && button.right < window.right)
    #expect(advice.bottom < button.bottom && advice.right < window.right)
    try session.desk.press("Cancel")
    _ = try run.end()
  }

  @Test("a reason is shown as plain text")
  func plantedText() throws {
    let session = try Session()
    let run = try session.asking("<b>see</b> &amp; \u{202E}edoc")
    try session.desk.find("label", "It says: “<b>see</b> &amp; �edoc”")
    try session.desk.press("Cancel")
    _ = try run.end()
  }

  @Test(
    "the dialog speaks the person's language",
    .enabled(
      if: FileManager.default.fileExists(atPath: Products.program("share/locale")),
      "scripts/make-catalogs .build/debug makes the translations"),
    arguments: [
      ("de", "Abbrechen", "authcore möchte, dass Sie sich ausweisen."),
      ("fr", "Annuler", "authcore veut que vous confirmiez que c’est vous."),
      ("es", "Cancelar", "authcore quiere que confirme que es usted."),
      ("ja", "キャンセル", "authcoreがご本人であることの確認を求めています。"),
      ("ko", "취소", "authcore에서 본인 확인을 요청합니다."),
    ])
  func languages(language: String, cancel: String, headline: String) throws {
    let session = try Session(environment: ["LANGUAGE": language])
    let run = try session.asking("see the door code")
    try session.desk.find("label", headline)
    try session.desk.press(cancel)
    #expect(try run.end().errorName == "userCancel")
  }

  @Test("prompts of two programs come one after the other")
  func queue() throws {
    let session = try Session()
    let first = try session.asking("do the first thing")
    try session.desk.find("label", "It says: “do the first thing”")
    let second = try session.asking("do the second thing")
    try session.typePasscode()
    #expect(try first.end().status == 0)
    try session.desk.find("label", "It says: “do the second thing”")
    try session.desk.press("Cancel")
    #expect(try second.end().errorName == "userCancel")
  }

  @Test("keys typed when a prompt ends do not reach the next one, which waits")
  func pause() throws {
    let session = try Session()
    let first = try session.asking("do the first thing")
    try session.desk.find("label", "It says: “do the first thing”")
    let second = try session.asking("do the second thing")
    let cancelled = ContinuousClock.now
    try session.desk.press("Cancel")
    try session.desk.find("label", "It says: “do the second thing”")
    #expect(ContinuousClock.now - cancelled >= .seconds(1))
    try session.desk.press("Cancel")
    for run in [first, second] { #expect(try run.end().errorName == "userCancel") }
  }

  @Test("the agent comes back to the next core, and its first request is asked about already")
  func restartedCore() throws {
    let session = try Session()
    _ = try session.home.get().authcore("quit")
    let run = try session.asking("see the door code")
    try session.desk.find("label", "It says: “see the door code”")
    try session.typePasscode()
    #expect(try run.end().status == 0)
  }

  @Test("if the agent is killed while it asks, the request ends as without an agent")
  func killed() throws {
    let session = try Session()
    let run = try session.asking("see the door code")
    try session.desk.find("password text", "Passcode")
    try session.desk.kill()
    #expect(try run.end().errorName == "notInteractive")
  }

  @Test("without an agent, or a display for one, nobody is asked")
  func nobody() throws {
    let home = try TestHome()
    _ = try home.authcore("passcode", "set", passcode: TestHome.passcode)
    let agent = try run("authcore-agent", ["--home", home.home])
    #expect(agent.status == 2)
    #expect(agent.errors.contains("no display"), "\(agent.errors)")
    let asked = try run("authcore", ["--json", "--home", home.home, "auth", "--reason", "see it"])
    #expect(asked.errorName == "notInteractive", "\(asked.account)")
  }

  @Test("K2: an agent that lies anywhere else than beside the core is not taken")
  func strangersAgent() throws {
    let home = try TestHome()
    _ = try home.authcore("status")
    let folder = try TemporaryFolder()
    let copy = folder.url.appendingPathComponent("authcore-agent")
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: Products.program("authcore-agent")), to: copy)
    let desk = try Desk()
    try desk.start(copy.path, ["--home", home.home])
    let end = try desk.end()
    #expect(end.status == 1)
    #expect(end.output.contains("shown by authcore-agent only"), "\(end.output)")
  }

  @Test("wrong arguments are a usage error")
  func arguments() throws {
    let end = try run("authcore-agent", ["--nonsense"])
    #expect(end.status == 64)
    #expect(end.errors.contains("unknown argument: --nonsense"))
    #expect(try run("authcore-agent", ["--version"]).text.hasPrefix("authcore-agent "))
  }
}
