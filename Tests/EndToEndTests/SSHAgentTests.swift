import Foundation
import TestSupport
import Testing

@Suite("SSH agent: OpenSSH and Git sign with keys of the enclave", .timeLimit(.minutes(60)))
struct SSHAgentTests {
  @Test("X8: ssh-add lists and tries the keys; a touch signs a file that ssh-keygen verifies")
  func signing() throws {
    let state = try TestHome.enrolled()
    try state.succeed("key", "create", "plain")
    try state.succeed("key", "create", "deploy", "--access", "presence")
    let (plain, deploy) = (try state.publicHalf("plain"), try state.publicHalf("deploy"))
    let agent = try RunningAgent(state, driver: try state.ownerTouch())
    let list = try agent.run("/usr/bin/ssh-add", ["-L"])
    #expect(
      list.text == (try String(contentsOf: plain, encoding: .utf8))
        + (try String(contentsOf: deploy, encoding: .utf8)),
      "\(list.account)")
    #expect(try agent.run("/usr/bin/ssh-add", ["-T", plain.path]).status == 0)
    let message = try state.folder.write("message", Data("hello".utf8))
    let sign = try agent.run(
      "/usr/bin/ssh-keygen", ["-Y", "sign", "-n", "file", "-f", deploy.path, message.path])
    #expect(sign.status == 0, "\(sign.account)")
    let signers = try state.folder.write(
      "signers", Data("me ".utf8) + (try Data(contentsOf: deploy)))
    let check = try agent.run(
      "/usr/bin/ssh-keygen",
      [
        "-Y", "verify", "-n", "file", "-f", signers.path, "-I", "me", "-s", message.path + ".sig",
      ], input: Data("hello".utf8))
    #expect(check.status == 0, "\(check.account)")
    let lines = try agent.lines
    #expect(lines.count == 2)
    let last = try #require(lines.last)
    #expect(last.contains(#""key":"deploy""#) && last.contains(#""namespace":"file""#), "\(last)")
    #expect(last.contains(#""purpose":"sshsig""#) && last.contains(#""result":"signed""#))
    let mode = try FileManager.default.attributesOfItem(atPath: agent.socket)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    agent.end()
    #expect(!FileManager.default.fileExists(atPath: agent.socket))
  }

  @Test("X8: status names an agent that no client uses")
  func presence() throws {
    let state = try TestHome.enrolled()
    let agent = try RunningAgent(state, driver: try state.ownerTouch())
    let isNamed = eventually {
      (try? state.authcore(["status"]).text.contains(#"{"name":"ssh-agent","for":null}"#)) == true
    }
    #expect(isNamed)
    agent.end()
    #expect(try !state.authcore(["status"]).text.contains("ssh-agent"))
  }

  @Test("X8: a stranger's touch signs nothing, and the log says so")
  func stranger() throws {
    let state = try TestHome.enrolled()
    try state.succeed("key", "create", "deploy", "--access", "biometry-any")
    let deploy = try state.publicHalf("deploy")
    let agent = try RunningAgent(state, driver: try state.strangerTouches(5))
    #expect(try agent.run("/usr/bin/ssh-add", ["-T", deploy.path]).status != 0)
    #expect(try agent.lines.last?.contains(#""result":"refused""#) == true)
    #expect(try agent.run("/usr/bin/ssh-add", ["-l"]).status == 0)
  }

  @Test("X8: an agent that is to offer a key that there is not says so")
  func missing() throws {
    let state = try TestHome.enrolled()
    try state.succeed("key", "create", "deploy")
    let agent = try RunningAgent(state, ["--only", "deploy", "--only", "nope"])
    #expect(try agent.run("/usr/bin/ssh-add", ["-L"]).text.contains(" deploy"))
    try agent.waitUntilItSays("--only: there is no key called nope\n")
    let setup = try state.authcore(["ssh", "setup", "--key", "nope"])
    #expect(setup.status == 3 && setup.text.contains("no key called nope"), "\(setup.account)")
  }

  @Test("X8: a locked device still lists what was seen, without a prompt, and adds no key")
  func locked() throws {
    let state = try TestHome.enrolled()
    try state.succeed("key", "create", "deploy", "--access", "presence")
    try state.succeed("key", "create", "other")
    let agent = try RunningAgent(state, driver: try state.ownerTouch(), ["--only", "deploy"])
    let open = try agent.run("/usr/bin/ssh-add", ["-L"])
    #expect(open.status == 0 && open.text.contains(" deploy") && !open.text.contains(" other"))
    try state.succeed("lock")
    #expect(try agent.run("/usr/bin/ssh-add", ["-L"]).text == open.text)
    let key = state.folder.url.appendingPathComponent("key").path
    _ = try agent.run("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key])
    #expect(try agent.run("/usr/bin/ssh-add", [key]).status != 0)
    #expect(try agent.lines.last?.contains(#""request":"add""#) == true)
  }

  @Test("X8: with --reuse one touch serves a program's signatures with a key made for that alone")
  func reuse() throws {
    let state = try TestHome.enrolled()
    let often = try state.makeKey("often", "--access", "presence", "--reusable")
    let once = try state.makeKey("once", "--access", "presence")
    let touches = try state.tape(Array(Prints.owner.get()[5...6]))
    let agent = try RunningAgent(state, driver: touches, ["--reuse", "300"])
    let files = try ["a", "b"].map { try state.folder.write($0, $0) }
    for key in [often, once] {
      try agent.run(
        "/usr/bin/ssh-keygen", ["-Y", "sign", "-q", "-n", "file", "-f", key.path] + files
      ).expectSuccess()
      for file in files { try FileManager.default.removeItem(atPath: file + ".sig") }
    }
    #expect(
      try agent.lines.map { $0.contains(#""reused":true"#) } == [false, true, false, false])
  }

  /// Words of `exercise agent`, and which signatures an earlier touch serves.
  struct Sharing: CustomTestStringConvertible, Sendable {
    let words: [String]
    let areReused: [Bool]
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(
    "FINDINGS A7: a touch serves the program of the process that asked, and no heir of it",
    arguments: [
      Sharing(words: ["sign", "sign", "sign"], areReused: [false, true, true]),
      // What waits in another connection may be an earlier program's of the process.
      Sharing(words: ["sign", "new", "sign"], areReused: [false, false, true]),
      // A child, over a connection of before the touch or of the touch itself.
      Sharing(words: ["new", "child", "new"], areReused: [false, false, false]),
      Sharing(words: ["sign", "child", "sign"], areReused: [false, false, false]),
      // Another program in the same process, over the old and a new connection.
      Sharing(words: ["sign", "become", "sign", "new"], areReused: [false, false, false]),
      Sharing(words: ["new", "become", "sign"], areReused: [false, false]),
    ])
  func stolen(sharing: Sharing) throws {
    let state = try TestHome.enrolled()
    let key = try state.makeKey("often", "--access", "presence", "--reusable")
    let blob = try String(contentsOf: key, encoding: .utf8).split(separator: " ")[1]
    let agent = try RunningAgent(state, driver: try state.ownerTouch(), ["--reuse", "300"])
    let program = Products.program("exercise")
    // Beside the first, so that it finds the same libraries.
    let copy = program + "-" + UUID().uuidString
    try FileManager.default.copyItem(atPath: program, toPath: copy)
    defer { try? FileManager.default.removeItem(atPath: copy) }
    let words = sharing.words.map { $0 == "become" ? "become=\(copy)" : $0 }
    let said = try agent.run(program, ["agent", agent.socket, String(blob)] + words)
    #expect(said.text.hasPrefix("signed\n"), "\(said.account)")
    let lines = try agent.lines
    #expect(
      lines.map { $0.contains(#""reused":true"#) } == sharing.areReused, "\(said.account) \(lines)")
  }

  @Test("X8: a certificate beside the key that setup wrote is listed and signed for")
  func certificate() throws {
    let state = try TestHome()
    let (work, other) = (try state.makeKey("work"), try state.makeKey("other"))
    try state.succeed("key", "remove", "other")
    let folder = state.folder.file(".local/share/authcore/ssh")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let agent = try RunningAgent(state)
    let (authority, lines) = (
      state.folder.file("authority"), try String(contentsOf: work, encoding: .utf8)
    )
    _ = try agent.run("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", authority])
    for key in [work, other] {
      try agent.run("/usr/bin/ssh-keygen", ["-q", "-s", authority, "-I", "me", key.path])
        .expectSuccess()
    }
    #expect(try agent.run("/usr/bin/ssh-add", ["-L"]).text == lines)
    // A certificate for a key of ours, one for a key that is gone, and a file without one.
    let certificate = state.folder.file("work-cert.pub")
    let files = FileManager.default
    try files.copyItem(atPath: certificate, toPath: folder + "/work-cert.pub")
    try files.copyItem(
      atPath: state.folder.file("other-cert.pub"), toPath: folder + "/other-cert.pub")
    try files.copyItem(atPath: work.path, toPath: folder + "/plain-cert.pub")
    let listed = try agent.run("/usr/bin/ssh-add", ["-L"]).text.split(separator: "\n")
    let words = try String(contentsOfFile: certificate, encoding: .utf8).split(separator: " ")
    #expect(listed.count == 2 && listed.last?.split(separator: " ")[1] == words[1], "\(listed)")
    try agent.run("/usr/bin/ssh-add", ["-T", certificate]).expectSuccess()
  }

  @Test("X8: after setup Git signs commits by the agent and verifies them under the user's address")
  func commit() throws {
    let state = try TestHome.enrolled()
    try state.succeed("key", "create", "deploy", "--access", "presence")
    try state.folder.write(".gitconfig", "[user]\nname = Me\nemail = me@example.org\n")
    try state.succeed("ssh", "setup", "--yes", environment: ["HOME": state.folder.path])
    let agent = try RunningAgent(state, driver: try state.ownerTouch())
    let folder = state.folder.file("repository")
    func git(_ arguments: String...) throws -> CommandRun {
      try agent.run("/usr/bin/git", ["-C", folder] + arguments).expectSuccess()
    }
    try agent.run("/usr/bin/git", ["init", "-q", folder]).expectSuccess()
    _ = try git("commit", "-S", "--allow-empty", "-m", "signed")
    let check = try git("verify-commit", "HEAD")
    #expect(check.errors.contains("signature for me@example.org"), "\(check.account)")
    #expect(try agent.lines.last?.contains("Sign a commit or a tag of Git.") == true)
  }
}
