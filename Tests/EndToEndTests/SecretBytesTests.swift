import Foundation
import TestSupport
import Testing

@Suite("Secrets to the last byte", .timeLimit(.minutes(15)))
struct SecretBytesTests {
  private func command(
    _ state: TestHome, _ arguments: [String], input: [UInt8] = []
  ) throws -> CommandRun {
    try run("authcore", ["--home", state.home] + arguments, input: Data(input))
  }

  @Test(
    "what standard input holds is stored to the last byte",
    arguments: [[], [0x0A], [0x61, 0x0A], [0x61, 0x0A, 0x0A], [0, 0xFF, 0x0D, 0x0A], [0xC3]])
  func bytes(secret: [UInt8]) throws {
    let state = try TestHome()
    let add = try command(state, ["item", "add", "key"], input: secret)
    #expect(add.status == 0, "\(add.account)")
    #expect(add.errors.contains("newline") == (secret.last == 0x0A), "\(add.account)")
    let get = try command(state, ["item", "get", "key"])
    #expect(get.output == Data(secret), "\(get.account)")
    #expect(
      try command(state, ["item", "update", "key", "--secret"], input: secret + [0x0A]).status == 0)
    #expect(try command(state, ["item", "get", "key"]).output == Data(secret + [0x0A]))
  }

  @Test("--strip-newline drops exactly one, when an item is added and when it is changed")
  func strip() throws {
    let state = try TestHome()
    let strip = "--strip-newline"
    let add = try command(state, ["item", "add", "key", strip], input: [0x61, 0x0A, 0x0A])
    #expect(add.status == 0 && add.errors.isEmpty, "\(add.account)")
    #expect(try command(state, ["item", "get", "key"]).output == Data([0x61, 0x0A]))
    let update = try command(
      state, ["item", "update", "key", "--secret", strip], input: [0x62, 0x0A])
    #expect(update.status == 0, "\(update.account)")
    #expect(try command(state, ["item", "get", "key"]).output == Data([0x62]))
    let nothing = try command(state, ["item", "update", "key", "--set-label", "x", strip])
    #expect(nothing.status == 64, "\(nothing.account)")
  }

  @Test("the longest secret is taken, and one byte more is refused and not cut")
  func longest() throws {
    let state = try TestHome()
    let longest = [UInt8](repeating: 0x0A, count: 48 << 10)
    #expect(try command(state, ["item", "add", "key"], input: longest).status == 0)
    #expect(try command(state, ["item", "get", "key"]).output == Data(longest))
    let more = try command(state, ["item", "add", "more"], input: longest + [0x61])
    #expect(more.status == 64, "\(more.account)")
  }

  @Test("- is standard input wherever a file with a secret is named, and for one of them only")
  func dash() throws {
    let state = try TestHome()
    let passcode = Array("correct horse\n".utf8)
    #expect(
      try command(state, ["passcode", "set", "--passcode-file", "-"], input: passcode).status == 0)
    #expect(try command(state, ["unlock", "--passcode-file", "-"], input: passcode).status == 0)
    for twice in [
      ["item", "add", "key", "--passcode-file", "-"],
      ["item", "add", "key", "--access", "app-password", "--app-password-file", "-"],
      ["item", "update", "key", "--secret", "--new-app-password-file", "/dev/stdin"],
      ["passcode", "change", "--passcode-file", "-", "--new-passcode-file", "-"],
      ["passcode", "change", "--passcode-fd", "0", "--new-passcode-file", "-"],
      ["backup", "create", "x", "--passcode-file", "-", "--passphrase-file", "-"],
      ["backup", "restore", "-", "--passphrase-file", "-"],
      ["backup", "restore", "/dev/stdin", "--passphrase-fd", "0"],
      ["backup", "inspect", "-", "--verify", "--passphrase-file", "-"],
      ["import", "-", "--passcode-file", "-"], ["import", "/dev/stdin", "--passcode-file", "-"],
      ["key", "sign", "key", "--passcode-file", "-"],
      ["item", "add", "--class", "certificate", "--file", "-", "--passcode-file", "-"],
    ] {
      let run = try command(state, twice, input: passcode)
      #expect(run.status == 64 && run.errors.contains("tandard input"), "\(run.account)")
    }
  }

  @Test("a backup goes through standard output and comes back through standard input")
  func backupThroughPipes() throws {
    let state = try TestHome()
    let passcode = try state.folder.write("passcode", Data("correct horse\n".utf8)).path
    let passphrase = try state.folder.write("passphrase", Data("a long enough one\n".utf8)).path
    #expect(
      try command(state, ["passcode", "set", "--passcode-file", passcode]).status == 0)
    #expect(try command(state, ["item", "add", "mail"], input: [0x61, 0x0A]).status == 0)
    let backup = try command(
      state,
      [
        "backup", "create", "-", "--passcode-file", passcode, "--passphrase-file", passphrase,
      ])
    #expect(backup.status == 0, "\(backup.account)")
    let inspect = try command(
      state, ["backup", "inspect", "-", "--passphrase-file", passphrase, "--json"],
      input: Array(backup.output))
    #expect(inspect.json["items"]?.number == 1, "\(inspect.account)")
    #expect(try command(state, ["item", "remove", "mail"]).status == 0)
    let restore = try command(
      state, ["backup", "restore", "-", "--passphrase-file", passphrase],
      input: Array(backup.output))
    #expect(restore.status == 0, "\(restore.account)")
    #expect(try command(state, ["item", "get", "mail"]).output == Data([0x61, 0x0A]))
  }
}
