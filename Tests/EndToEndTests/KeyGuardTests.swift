import Foundation
import TestSupport
import Testing

@Suite("What guards keys, through the command", .timeLimit(.minutes(15)))
struct KeyGuardTests {
  private func keys(_ state: TestHome) throws -> [String] {
    try state.authcore("key", "list").json["keys"]?.array?.compactMap { $0["name"]?.string } ?? []
  }

  @Test("X1 E4: a key behind a finger signs with a touch, and asks for one each time")
  func touch() throws {
    let state = try TestHome()
    try state.setUp()
    let create = try state.authcore("key", "create", "deploy", "--access", "biometry-current")
    #expect(create.json["key"]?["access"]?.string == "biometry-current", "\(create.account)")
    let touched = try state.authcore(
      "--driver", state.ownerTouch(), "key", "sign", "deploy", secret: "release")
    #expect(touched.status == 0, "\(touched.account)")
    #expect(
      touched.errors.contains("authcore wants to use the key deploy."), "\(touched.account)")
    let again = try state.authcore(
      "--driver", try state.tape([String]()), "key", "sign", "deploy", secret: "release")
    #expect(again.errorName == "timedOut", "no touch, no signature: \(again.account)")
    let stranger = try state.authcore(
      "--driver", state.strangerTouches(3), "key", "sign", "deploy", secret: "release")
    #expect(stranger.status == 1 && stranger.errorName == "authenticationFailed")
    let passcode = try state.authcore(
      "key", "sign", "deploy", passcode: TestHome.passcode, secret: "release")
    #expect(passcode.errorName == "biometryNotAvailable", "\(passcode.account)")

    for arguments in [["public", "deploy"], ["encrypt", "deploy"]] {
      let open = try run(
        "authcore", ["--json", "--home", state.home, "key"] + arguments, input: Data("x".utf8))
      #expect(open.status == 0, "asks for nothing: \(open.account)")
    }
    #expect(try state.authcore("key", "remove", "deploy").status == 0)
  }

  @Test("A3: a key behind the passcode decrypts with it, and not without; --reason is shown")
  func passcode() throws {
    let state = try TestHome()
    try state.setUp()
    #expect(try state.authcore("key", "create", "mail", "--access", "passcode").status == 0)
    let sealed = try state.authcore("key", "encrypt", "mail", secret: "for ann", json: false)
    func decrypt(_ more: String..., passcode: String?) throws -> CommandRun {
      var all = ["--json", "--home", state.home, "key", "decrypt", "mail"] + more
      if let passcode {
        all += ["--passcode-file", try state.folder.write("given", Data(passcode.utf8)).path]
      }
      return try run("authcore", all, input: sealed.output)
    }
    let nobody = try decrypt(passcode: nil)
    #expect(nobody.status == 2 && nobody.errorName == "notInteractive", "\(nobody.account)")
    let wrong = try decrypt(passcode: "not the passcode")
    #expect(wrong.status == 1, "\(wrong.account)")
    let right = try decrypt("--reason", "Read Ann's letter", passcode: TestHome.passcode)
    #expect(
      right.json["data"]?.string == Data("for ann".utf8).base64EncodedString(), "\(right.account)")
  }

  @Test("A1: a key behind an application password signs with that one and no other")
  func applicationPassword() throws {
    let state = try TestHome()
    try state.setUp()
    let right = try state.folder.write("right", Data("apple".utf8)).path
    let wrong = try state.folder.write("wrong", Data("pear".utf8)).path
    let unused = try state.authcore("key", "create", "app", "--app-password-file", right)
    #expect(unused.status == 64, "\(unused.account)")
    let create = try state.authcore(
      "key", "create", "app", "--access", "app-password", "--app-password-file", right)
    #expect(create.json["key"]?["access"]?.string == "app-password", "\(create.account)")
    let signed = try state.authcore(
      "key", "sign", "app", "--app-password-file", right, secret: "x")
    #expect(signed.status == 0, "\(signed.account)")
    let refused = try state.authcore(
      "key", "sign", "app", "--app-password-file", wrong, secret: "x")
    #expect(refused.status == 1 && refused.errorName == "errSecAuthFailed", "\(refused.account)")
    let nobody = try state.authcore("key", "sign", "app", secret: "x")
    #expect(nobody.errorName == "notInteractive", "\(nobody.account)")
  }

  @Test("K6: on a locked device no key is used, shown or said to be there")
  func locked() throws {
    let state = try TestHome()
    try state.setUp()
    #expect(try state.authcore("key", "create", "deploy").status == 0)
    let always = try state.authcore(
      "key", "create", "agent", "--accessible", "after-first-unlock-this-device-only")
    #expect(always.status == 0, "\(always.account)")
    #expect(try state.authcore("lock").status == 0)
    for name in ["deploy", "nothing"] {
      for arguments in [["sign", name], ["public", name], ["encrypt", name], ["remove", name]] {
        let run = try run("authcore", ["--json", "--home", state.home, "key"] + arguments)
        #expect(run.status == 4, "\(run.account)")
        #expect(run.errorName == "errSecInteractionNotAllowed", "\(run.account)")
      }
    }
    let create = try state.authcore("key", "create", "more")
    #expect(create.status == 4, "\(create.account)")
    #expect(try keys(state) == ["agent"])
    #expect(try state.authcore("key", "sign", "agent", secret: "x").status == 0)
    #expect(try state.authcore("unlock", passcode: TestHome.passcode).status == 0)
    #expect(try keys(state) == ["deploy", "agent"])
    #expect(try state.authcore("key", "sign", "deploy", secret: "x").status == 0)
  }

  @Test("A9: without a passcode no guarded key is made; removing it destroys them")
  func passcodeRemoval() throws {
    let state = try TestHome()
    let early = try state.authcore("key", "create", "early", "--access", "presence")
    #expect(early.status == 2 && early.errorName == "passcodeNotSet", "\(early.account)")
    try state.setUp()
    #expect(try state.authcore("key", "create", "guarded", "--access", "presence").status == 0)
    #expect(
      try state.authcore(
        "key", "create", "bound", "--accessible", "when-passcode-set-this-device-only"
      ).status == 0)
    #expect(try state.authcore("key", "create", "plain").status == 0)
    #expect(try state.authcore("passcode", "remove", passcode: TestHome.passcode).status == 0)
    #expect(try keys(state) == ["plain"])
    #expect(try state.authcore("key", "sign", "plain", secret: "x").status == 0)
  }

  @Test("A2: a key behind biometry-current is gone for good once another finger is enrolled")
  func fingersChanged() throws {
    let state = try TestHome()
    try state.setUp()
    #expect(
      try state.authcore("key", "create", "vault", "--access", "biometry-current").status == 0)
    try state.enroll(Array(Prints.second.get().prefix(5)), name: "left")
    let sign = try state.authcore(
      "--driver", state.ownerTouch(), "key", "sign", "vault", secret: "x")
    #expect(sign.status == 1 && sign.errorName == "errSecAuthFailed", "\(sign.account)")
    #expect(sign.text.contains("the key is bound to a set of fingers"), "\(sign.account)")
    #expect(try state.authcore("key", "remove", "vault").status == 0)
  }
}
