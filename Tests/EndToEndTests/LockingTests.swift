import Foundation
import TestSupport
import Testing

@Suite("Lock state, through the command", .timeLimit(.minutes(60)))
struct LockingTests {
  @Test("K6: what is when-unlocked is out of reach while locked, and back after an unlock")
  func lockedItems() throws {
    let state = try TestHome.enrolled()
    try state.succeed("item", "add", "--service", "closed", secret: "c")
    try state.succeed(
      "item", "add", "--service", "open", "--accessible", "after-first-unlock", secret: "o")
    try state.succeed("lock")
    #expect(try state.authcore("status").json["locked"]?.bool == true)
    for sensor in [[], ["--driver", try state.ownerTouch()]] {
      let get = try state.authcore(sensor + ["item", "get", "--service", "closed"])
      #expect(get.status == 4, "\(get.account)")
      #expect(get.errorName == "errSecInteractionNotAllowed")
    }
    let other = try state.authcore("item", "get", "--service", "open")
    #expect(other.secret == "o", "\(other.account)")
    let list = try state.authcore("item", "list")
    #expect(list.json["items"]?.array?.count == 1, "\(list.account)")
    for service in ["closed", "absent"] {
      try state.authcore("item", "remove", "--service", service).expect(status: 4)
    }
    try state.authcore("item", "add", "--service", "late", secret: "x").expect(
      error: "errSecInteractionNotAllowed")
    // Authentication works and unlocks nothing.
    try state.succeed("--driver", state.ownerTouch(), "auth", "--reason", "x")
    #expect(try state.authcore("status").json["locked"]?.bool == true)
    try state.succeed("unlock", passcode: TestHome.passcode)
    try state.succeed("item", "get", "--service", "closed")
  }

  @Test("FINDINGS B1: at a terminal a locked keychain asks to be unlocked, and then answers")
  func onDemand() throws {
    let state = try TestHome.enrolled()
    try state.succeed("item", "add", "bank", "--access", "presence", secret: "s3cret")
    let get = ["--home", state.home, "item", "get", "bank"]
    try state.succeed("lock")
    let refused = try TerminalRun(["--no-unlock"] + get)
    #expect(refused.status == 4 && !refused.shown.contains("Passcode"), "\(refused)")
    let cancelled = try TerminalRun(get, [.init(seen: "Passcode", typed: "\u{1B}")])
    #expect(cancelled.status == 1, "\(cancelled)")
    let typed = try TerminalRun(get, [.init(seen: "Passcode", typed: TestHome.passcode + "\n")])
    #expect(typed.status == 0 && typed.shown.contains("s3cret"), "\(typed)")
    #expect(typed.shown.contains("authcore wants a password from your keychain."))
    #expect(typed.shown.contains("Your keychain is locked: this unlocks it."))
    try state.succeed("lock")
    let touched = try TerminalRun(["--driver", try state.ownerTouch()] + get)
    #expect(touched.status == 0 && touched.shown.contains("s3cret"), "\(touched)")
    #expect(try state.authcore("status").json["locked"]?.bool == false)
  }

  @Test("what is set is shown, kept, and loosened with the passcode only")
  func settings() throws {
    let state = try TestHome.enrolled()
    #expect(try state.authcore("settings").json["settings"]?["lockAfter"]?.number == 15)
    let tighter = try state.authcore("settings", "lock-after", "5")
    #expect(tighter.json["settings"]?["lockAfter"]?.number == 5, "\(tighter.account)")
    try state.authcore("settings", "lock-after", "screen").expect(status: 2)
    let proved = try state.authcore("settings", "lock-after", "screen", passcode: TestHome.passcode)
    #expect(proved.json["settings"]?["lockAfter"]?.string == "screen", "\(proved.account)")
    let status = try state.authcore("status").json
    #expect(status["lockAfter"]?.string == "screen")
    #expect(status["lockAfterSeconds"]?.number == 900, "there is no screen here")
    #expect(try state.authcore("settings", "lock-after", "481").status == 64)
    #expect(try state.authcore("settings", "lock-before").status == 64)
  }

  @Test("ATTACKS 13: a locked device neither removes nor tells what it holds, whatever is asked")
  func noWordWhileLocked() throws {
    let state = try TestHome.enrolled()
    try state.succeed("item", "add", "closed", "ann", secret: "c")
    try state.succeed("key", "create", "closed")
    try state.succeed("lock")
    func answers(_ name: String, _ account: String) throws -> [CommandRun] {
      let item = [
        ["get"], ["get", "--all"], ["find"], ["update", "--set-label", "x"],
        ["update", "--set-label", "x", "--all"], ["update", "--secret"], ["remove"],
        ["remove", "--all"], ["remove", "--all", "--yes"], ["share", "--with", "/bin/true"],
      ].map { ["item"] + $0 + [name, account] }
      let key = ["public", "sign", "decrypt", "encrypt", "remove"].map { ["key", $0, name] }
      return try (item + key).map {
        try state.authcore($0, input: Data(repeating: 4, count: 100))
      }
    }
    for (present, absent) in zip(try answers("closed", "ann"), try answers("absent", "ann")) {
      #expect(
        present.status == 4 && present.errorName == "errSecInteractionNotAllowed",
        "\(present.account)")
      #expect(absent.text == present.text && absent.status == 4, "\(absent.account)")
    }
    try state.succeed("unlock", passcode: TestHome.passcode)
    #expect(try state.authcore("item", "get", "closed", json: false).text == "c")
    try state.succeed("key", "public", "closed")
  }

  @Test("X1: a match alone unlocks while biometric unlock is armed, and releases the items")
  func unlockByTouch() throws {
    let state = try TestHome.enrolled()
    try state.succeed("item", "add", "--service", "closed", secret: "c")
    try state.succeed("lock")
    try state.authcore("--driver", state.strangerTouches(3), "unlock").expect(status: 1)
    let unlock = try state.succeed("--driver", state.ownerTouch(), "unlock")
    #expect(unlock.json["by"]?.string == "biometry")
    try state.succeed("item", "get", "--service", "closed")
  }

  @Test("nothing opens before the first unlock of a new core, with whatever finger")
  func beforeFirstUnlock() throws {
    let state = try TestHome.enrolled()
    try state.succeed(
      "item", "add", "--service", "s", "--accessible", "after-first-unlock", secret: "o")
    try state.succeed("quit")
    #expect(state.processes.isEmpty)
    let status = try state.authcore("status")
    #expect(status.json["firstUnlocked"]?.bool == false, "\(status.account)")
    #expect(status.json["locked"]?.bool == true)
    let get = try state.authcore("item", "get", "--service", "s")
    #expect(get.errorName == "errSecInteractionNotAllowed", "\(get.account)")
    try state.authcore("--driver", state.ownerTouch(), "unlock").expect(
      status: 2, error: "notInteractive")
    try state.succeed("unlock", passcode: TestHome.passcode)
    try state.succeed("item", "get", "--service", "s")
  }

  @Test("a passcode given to unlock is verified on an unlocked device too")
  func unlockVerifies() throws {
    let state = try TestHome.enrolled()
    #expect(try state.authcore("unlock", passcode: "wrong").status == 1)
    try state.succeed("unlock", passcode: TestHome.passcode)
    try state.succeed("unlock")
  }

  @Test("ATTACKS 6: a program that asks for the status all the time keeps no device open")
  func polling() throws {
    let state = try TestHome()
    let server = try state.serve(lockAfter: 1)
    try state.succeed("passcode", "set", passcode: TestHome.passcode)
    let deadline = ContinuousClock.now + .seconds(300)
    var status = try state.authcore("status")
    #expect(status.json["lockAfterSeconds"] == .number(1), "\(status.account)")
    while status.json["locked"]?.bool != true, ContinuousClock.now < deadline {
      status = try state.authcore("status")
    }
    #expect(status.json["locked"]?.bool == true, "\(status.account)")
    try state.succeed("quit")
    server.waitUntilExit()
  }
}
