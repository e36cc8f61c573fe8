import Foundation
import TestSupport
import Testing

/// Another program of the same user changes files of the state folder.
@Suite("Files of the enclave, changed behind its back", .timeLimit(.minutes(15)))
struct OldFilesTests {
  private func enclave(_ state: TestHome) -> URL {
    URL(filePath: state.home).appending(path: "enclave")
  }

  @Test("K5: an old keybag and finger put back open nothing added since, and status says so")
  func oldKeybag() throws {
    let state = try TestHome()
    try state.setUp()
    #expect(try state.authcore("item", "add", "--service", "older", secret: "o").status == 0)
    let old = ["keybag", "finger-1"].map { enclave(state).appending(path: $0) }
    let contents = try old.map { try Data(contentsOf: $0) }
    let change = try state.authcore(
      "passcode", "change", passcode: TestHome.passcode, newPasscode: "another one")
    #expect(change.status == 0, "\(change.account)")
    let remove = try state.authcore(
      "finger", "remove", "right-index", passcode: "another one")
    #expect(remove.status == 0, "\(remove.account)")
    #expect(try state.authcore("item", "add", "--service", "newer", secret: "n").status == 0)
    #expect(try state.authcore("status").json["rollbackDetected"]?.bool == false)
    #expect(try state.authcore("quit").status == 0)
    for (file, data) in zip(old, contents) { try data.write(to: file) }

    let status = try state.authcore("status")
    #expect(status.json["rollbackDetected"]?.bool == true, "\(status.account)")
    let touch = try state.authcore("--driver", state.ownerTouch(), "unlock")
    #expect(touch.status != 0, "\(touch.account)")
    #expect(try state.authcore("unlock", passcode: TestHome.passcode).status == 0)
    #expect(try state.authcore("item", "get", "--service", "older").status == 0)
    let get = try state.authcore("item", "get", "--service", "newer")
    #expect(get.status == 5, "\(get.account)")
    #expect(get.errorName == "stateDamaged")
    let list = try state.authcore("item", "list")
    #expect(list.json["items"]?.array?.count == 1, "\(list.account)")
    let remains = try state.authcore(
      "passcode", "remove", passcode: TestHome.passcode)
    #expect(remains.errorName == "stateDamaged", "\(remains.account)")
  }

  @Test("K5: an erasure that was interrupted is completed, and the keychain begins anew beside it")
  func erasure() throws {
    let state = try TestHome()
    let set = try state.authcore(
      "passcode", "set", "--erase-after", "10", passcode: TestHome.passcode)
    #expect(set.status == 0, "\(set.account)")
    #expect(try state.authcore("item", "add", "--service", "older", secret: "o").status == 0)
    #expect(try state.authcore("status").json["eraseAfter"]?.number == 10)
    #expect(try state.authcore("unlock", passcode: "not this one").status == 1)
    #expect(try state.authcore("status").json["wrongPasscodes"]?.number == 1)
    #expect(try state.authcore("quit").status == 0)
    try Data("authcore erasing 1".utf8).write(to: enclave(state).appending(path: "erasing"))

    let status = try state.authcore("status")
    #expect(status.json["passcodeSet"]?.bool == false, "\(status.account)")
    #expect(status.json["eraseAfter"] == .null, "\(status.account)")
    #expect(status.json["passcodeDelaySeconds"]?.number == 0, "\(status.account)")
    #expect(try state.authcore("item", "get", "--service", "older").status == 3)
    let keychain = try FileManager.default.contentsOfDirectory(atPath: state.home + "/keychain")
    #expect(keychain.contains("keychain.sqlite.lost-1"), "\(keychain)")
    #expect(try state.authcore("doctor").json["findings"] != nil)
    #expect(try state.authcore("passcode", "set", passcode: "another one").status == 0)
    #expect(try state.authcore("item", "add", "--service", "newer", secret: "n").status == 0)
    #expect(try state.authcore("item", "get", "--service", "newer").status == 0)
  }

  @Test(
    "a FIFO in place of a file is refused by its name and keeps nobody waiting",
    arguments: ["finger-1", "keybag"])
  func fifo(name: String) throws {
    let state = try TestHome()
    try state.setUp()
    #expect(try state.authcore("quit").status == 0)
    let file = enclave(state).appending(path: name)
    try FileManager.default.removeItem(at: file)
    #expect(unsafe mkfifo(file.path, 0o600) == 0)
    let start = ContinuousClock.now
    let unlock = try state.authcore("unlock", passcode: TestHome.passcode)
    #expect(unlock.status == (name == "keybag" ? 5 : 0), "\(unlock.account)")
    let test = try state.authcore("--driver", state.ownerTouch(), "finger", "test")
    #expect(test.status == 5, "\(test.account)")
    #expect("\(test.account)".contains(name))
    #expect(ContinuousClock.now - start < .seconds(30))
  }
}
