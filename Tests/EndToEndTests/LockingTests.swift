import Foundation
import TestSupport
import Testing

@Suite("Lock state, through the command", .timeLimit(.minutes(15)))
struct LockingTests {
  @Test("K6: what is when-unlocked is out of reach while locked, and back after an unlock")
  func lockedItems() throws {
    let state = try TestHome()
    try state.setUp()
    let add = try state.authcore("item", "add", "--service", "closed", secret: "c")
    #expect(add.status == 0, "\(add.account)")
    let open = try state.authcore(
      "item", "add", "--service", "open", "--accessible", "after-first-unlock", secret: "o")
    #expect(open.status == 0, "\(open.account)")
    #expect(try state.authcore("lock").status == 0)
    #expect(try state.authcore("status").json["locked"]?.bool == true)
    for sensor in [[], ["--driver", try state.ownerTouch()]] {
      let get = try run(
        "authcore",
        ["--json", "--home", state.home] + sensor + ["item", "get", "--service", "closed"])
      #expect(get.status == 4, "\(get.account)")
      #expect(get.errorName == "errSecInteractionNotAllowed")
    }
    let other = try state.authcore("item", "get", "--service", "open")
    #expect(
      other.json["secret"]?.string == Data("o".utf8).base64EncodedString(), "\(other.account)")
    let list = try state.authcore("item", "list")
    #expect(list.json["items"]?.array?.count == 1, "\(list.account)")
    for service in ["closed", "absent"] {
      let remove = try state.authcore("item", "remove", "--service", service)
      #expect(remove.status == 4, "\(remove.account)")
    }
    let addLocked = try state.authcore("item", "add", "--service", "late", secret: "x")
    #expect(addLocked.errorName == "errSecInteractionNotAllowed", "\(addLocked.account)")
    // Authentication works and unlocks nothing.
    #expect(
      try state.authcore("--driver", state.ownerTouch(), "auth", "--reason", "x").status == 0)
    #expect(try state.authcore("status").json["locked"]?.bool == true)
    let unlock = try state.authcore("unlock", passcode: TestHome.passcode)
    #expect(unlock.status == 0, "\(unlock.account)")
    #expect(try state.authcore("item", "get", "--service", "closed").status == 0)
  }

  @Test("ATTACKS 13: a locked device neither removes nor tells what it holds, whatever is asked")
  func noWordWhileLocked() throws {
    let state = try TestHome()
    try state.setUp()
    #expect(try state.authcore("item", "add", "closed", "ann", secret: "c").status == 0)
    #expect(try state.authcore("key", "create", "closed").status == 0)
    #expect(try state.authcore("lock").status == 0)
    func answers(_ name: String, _ account: String) throws -> [CommandRun] {
      let item = [
        ["get"], ["get", "--all"], ["find"], ["update", "--set-label", "x"],
        ["update", "--set-label", "x", "--all"], ["update", "--secret"], ["remove"],
        ["remove", "--all"], ["remove", "--all", "--yes"], ["share", "--with", "/bin/true"],
      ].map { ["item"] + $0 + [name, account] }
      let key = ["public", "sign", "decrypt", "encrypt", "remove"].map { ["key", $0, name] }
      return try (item + key).map {
        try run(
          "authcore", ["--json", "--home", state.home] + $0, input: Data(repeating: 4, count: 100))
      }
    }
    for (present, absent) in zip(try answers("closed", "ann"), try answers("absent", "ann")) {
      #expect(
        present.status == 4 && present.errorName == "errSecInteractionNotAllowed",
        "\(present.account)")
      #expect(absent.text == present.text && absent.status == 4, "\(absent.account)")
    }
    #expect(try state.authcore("unlock", passcode: TestHome.passcode).status == 0)
    #expect(try state.authcore("item", "get", "closed", json: false).text == "c")
    #expect(try state.authcore("key", "public", "closed").status == 0)
  }

  @Test("X1: a match alone unlocks while biometric unlock is armed, and releases the items")
  func unlockByTouch() throws {
    let state = try TestHome()
    try state.setUp()
    #expect(try state.authcore("item", "add", "--service", "closed", secret: "c").status == 0)
    #expect(try state.authcore("lock").status == 0)
    let stranger = try state.authcore("--driver", state.strangerTouches(3), "unlock")
    #expect(stranger.status == 1, "\(stranger.account)")
    let unlock = try state.authcore("--driver", state.ownerTouch(), "unlock")
    #expect(unlock.status == 0, "\(unlock.account)")
    #expect(unlock.json["by"]?.string == "biometry")
    #expect(try state.authcore("item", "get", "--service", "closed").status == 0)
  }

  @Test("nothing opens before the first unlock of a new core, with whatever finger")
  func beforeFirstUnlock() throws {
    let state = try TestHome()
    try state.setUp()
    #expect(
      try state.authcore(
        "item", "add", "--service", "s", "--accessible", "after-first-unlock", secret: "o"
      ).status == 0)
    #expect(try state.authcore("quit").status == 0)
    #expect(state.processes.isEmpty)
    let status = try state.authcore("status")
    #expect(status.json["firstUnlocked"]?.bool == false, "\(status.account)")
    #expect(status.json["locked"]?.bool == true)
    let get = try state.authcore("item", "get", "--service", "s")
    #expect(get.errorName == "errSecInteractionNotAllowed", "\(get.account)")
    let touch = try state.authcore("--driver", state.ownerTouch(), "unlock")
    #expect(touch.status == 2, "\(touch.account)")
    #expect(touch.errorName == "notInteractive")
    #expect(try state.authcore("unlock", passcode: TestHome.passcode).status == 0)
    #expect(try state.authcore("item", "get", "--service", "s").status == 0)
  }

  @Test("a passcode given to unlock is verified on an unlocked device too")
  func unlockVerifies() throws {
    let state = try TestHome()
    try state.setUp()
    #expect(try state.authcore("unlock", passcode: "wrong").status == 1)
    #expect(try state.authcore("unlock", passcode: TestHome.passcode).status == 0)
    #expect(try state.authcore("unlock").status == 0)
  }

  @Test("ATTACKS 6: a program that asks for the status all the time keeps no device open")
  func polling() throws {
    let state = try TestHome()
    let server = try state.serve(lockAfter: 1)
    let set = try state.authcore("passcode", "set", passcode: TestHome.passcode)
    #expect(set.status == 0, "\(set.account)")
    let deadline = ContinuousClock.now + .seconds(60)
    var status = try state.authcore("status")
    #expect(status.json["lockAfterSeconds"] == .number(1), "\(status.account)")
    while status.json["locked"]?.bool != true, ContinuousClock.now < deadline {
      status = try state.authcore("status")
    }
    #expect(status.json["locked"]?.bool == true, "\(status.account)")
    #expect(try state.authcore("quit").status == 0)
    server.waitUntilExit()
  }
}
