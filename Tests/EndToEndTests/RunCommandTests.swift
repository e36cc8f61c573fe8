import Foundation
import TestSupport
import Testing

@Suite("Secrets in scripts: authcore run", .timeLimit(.minutes(60)))
struct RunCommandTests {
  private func add(_ state: TestHome, _ arguments: String..., secret: Data) throws {
    try state.succeed(["item", "add"] + arguments, input: secret, json: false)
  }

  /// `authcore run` with these words behind it.
  private func authcoreRun(
    _ state: TestHome, _ words: [String], json: Bool = false, input: Data = Data(),
    environment: [String: String] = [:]
  ) throws -> CommandRun {
    try run(
      "authcore", (json ? ["--json"] : []) + ["--home", state.home, "run"] + words, input: input,
      environment: environment)
  }

  /// The same without descriptors that other tests of this process have open.
  private func clean(_ state: TestHome, _ words: [String]) throws -> CommandRun {
    let closing = "import os, sys; os.closerange(3, 4096); os.execv(sys.argv[1], sys.argv[1:])"
    return try run(
      "/usr/bin/python3",
      ["-c", closing, Products.program("authcore"), "--home", state.home, "run"] + words)
  }

  @Test("secrets come to the command byte by byte, beside the environment that there was")
  func environment() throws {
    let state = try TestHome()
    try add(state, "--service", "mail", "--account", "ann", secret: Data("tü $x'\n".utf8))
    try add(state, "--service", "a/b", secret: Data("slash".utf8))
    let shown = try authcoreRun(
      state,
      [
        "--env", "MAIL=mail/ann", "--env", "B=a\\/b", "--", "sh", "-c",
        "printf '%s|%s|%s|%s' \"$MAIL\" \"$B\" \"$KEPT\" \"$1\"; cat", "sh", "--json",
      ], input: Data("input".utf8), environment: ["KEPT": "yes", "B": "old"]
    ).expectSuccess()
    #expect(shown.text == "tü $x'\n|slash|yes|--jsoninput", "\(shown.account)")
  }

  @Test("a file holds what no variable can, can be read as often as wanted, and cannot be changed")
  func file() throws {
    let state = try TestHome()
    let secret = Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    try add(state, "--service", "key", secret: secret)
    let shown = try authcoreRun(
      state,
      [
        "--file", "KEY=key", "--", "sh", "-c",
        "cat \"$KEY\"; cat \"$KEY\" | wc -c >&2; (echo x >>\"$KEY\") 2>/dev/null || echo refused >&2",
      ])
    let isSame = shown.output == secret
    #expect(isSame, "\(shown.errors)")
    #expect(shown.errors.contains("40000") && shown.errors.contains("refused"), "\(shown.errors)")
    let variable = try authcoreRun(state, ["--env", "KEY=key", "--", "true"], json: true)
    #expect(variable.status == 64 && variable.errorName == "usage", "\(variable.account)")
    #expect(variable.text.contains("--file"), "\(variable.account)")
  }

  @Test("the command has authcore's place: exit code, signal, process, and no descriptor of it")
  func place() throws {
    let state = try TestHome()
    try add(state, "--service", "s", secret: Data("x".utf8))
    #expect(try authcoreRun(state, ["--env", "S=s", "sh", "-c", "exit 42"]).status == 42)
    let killed = try run(
      "/bin/sh",
      [
        "-c", "\"$@\"; echo ended $?", "sh", Products.program("authcore"), "--home", state.home,
        "run", "--env", "S=s", "--", "sh", "-c", "kill -TERM $$",
      ])
    #expect(killed.text.contains("ended 143"), "\(killed.account)")
    // Descriptor 3 is the folder that ls has open.
    let open = try clean(state, ["--env", "S=s", "--", "sh", "-c", "exec ls /proc/self/fd"])
    #expect(open.text.split(separator: "\n") == ["0", "1", "2", "3"], "\(open.account)")
    let withFile = try clean(
      state, ["--file", "S=s", "--", "sh", "-c", "echo $S; exec ls /proc/self/fd"])
    #expect(
      withFile.text.split(separator: "\n") == ["/proc/self/fd/10", "0", "1", "10", "2", "3"],
      "\(withFile.account)")
  }

  @Test("a core that had to be started is no child of the command")
  func children() throws {
    let state = try TestHome()
    try add(state, "--service", "s", secret: Data("x".utf8))
    _ = try state.authcore("quit")
    let shown = try authcoreRun(
      state, ["--env", "S=s", "--", "sh", "-c", "cat /proc/$$/task/$$/children; echo; echo $S"])
    #expect(shown.text.hasSuffix("\nx\n"), "\(shown.account)")
    let children = shown.text.split(separator: "\n").first?.split(separator: " ") ?? []
    // Only cat itself.
    #expect(children.count <= 1, "\(shown.account)")
    #expect(state.core != nil)
  }

  @Test("one proof opens all items; where one cannot be opened nothing starts")
  func oneProof() throws {
    let state = try TestHome.enrolled()
    for name in ["a", "b"] {
      try add(state, "--service", name, "--access", "presence", secret: Data(name.utf8))
    }
    let proof = try state.folder.write("proof", TestHome.passcode)
    let both = try authcoreRun(
      state,
      [
        "--passcode-file", proof, "--env", "A=a", "--env", "B=b", "--", "sh", "-c",
        "printf %s $A$B",
      ])
    #expect(both.text == "ab", "\(both.account)")
    let touch = try state.authcore(
      "--driver", try state.ownerTouch(), "run", "--env", "A=a", "--file", "B=b", "--", "sh", "-c",
      "printf %s $A; cat $B", json: false)
    #expect(touch.text == "ab", "\(touch.account)")
    let mark = state.folder.file("started")
    try authcoreRun(state, ["--env", "A=a", "--env", "B=b", "--", "touch", mark], json: true)
      .expect(error: "notInteractive")
    let missing = try authcoreRun(state, ["--env", "A=nobody", "--", "touch", mark], json: true)
    #expect(missing.status == 3 && missing.text.contains("A=nobody"), "\(missing.account)")
    #expect(!FileManager.default.fileExists(atPath: mark))
  }

  @Test("several matches are named, and none is taken")
  func ambiguous() throws {
    let state = try TestHome()
    for account in ["ann", "bob"] {
      try add(state, "--service", "s", "--account", account, secret: Data(account.utf8))
    }
    let several = try authcoreRun(state, ["--env", "S=s", "--", "true"], json: true)
    #expect(several.status == 64 && several.errorName == "ambiguous", "\(several.account)")
    #expect(several.text.contains("s / ann") && several.text.contains("s / bob"))
    #expect(
      try authcoreRun(state, ["--env", "S=s/bob", "--", "sh", "-c", "echo $S"]).text == "bob\n")
  }

  @Test("what cannot be run ends as in a shell: 127 not found, 126 not executable")
  func notRun() throws {
    let state = try TestHome()
    try add(state, "--service", "s", secret: Data("x".utf8))
    try authcoreRun(state, ["--env", "S=s", "--", "no-such-command"], json: true).expect(
      status: 127, error: "commandNotFound")
    let data = try state.folder.write("data", "#!/bin/sh\n")
    try authcoreRun(state, ["--env", "S=s", "--", data], json: true).expect(
      status: 126, error: "commandNotExecutable")
  }

  @Test(
    "a command that cannot be told from options, or nothing to run, is an error before any core",
    arguments: [
      ["--env", "S=s"], ["--env", "S=s", "--"], ["--env", "S=s", "--nonsense"], ["--", "true"],
      ["--env", "S", "--", "true"], ["--env", "9=s", "--", "true"],
      ["--env", "S=s", "--reason", "", "--", "true"],
    ])
  func usage(words: [String]) throws {
    try run("authcore", ["--json", "--home", "/nonexistent/authcore-run", "run"] + words).expect(
      status: 64)
  }

  @Test("arguments that are no text arrive as they are")
  func bytes() throws {
    let state = try TestHome()
    try add(state, "--service", "s", secret: Data("x".utf8))
    let script = try state.folder.write(
      "script",
      Data(
        """
        exec "$0" --home "$1" run --env S=s -- printf %s "$(printf 'a\\377b')"
        """.utf8)
    ).path
    let shown = try run("/bin/sh", ["-c", ". \(script)", Products.program("authcore"), state.home])
    #expect(shown.output == Data([0x61, 0xFF, 0x62]), "\(shown.account)")
  }

  @Test("what this command authenticates with does not come to the one that takes its place")
  func passcodeDescriptor() throws {
    let state = try TestHome.enrolled()
    try add(state, "--service", "s", "--access", "passcode", secret: Data("x".utf8))
    let proof = try state.folder.write("proof", TestHome.passcode)
    let shown = try run(
      "/bin/sh",
      [
        "-c", "exec \"$@\" 7<\(proof) 8<\(proof)", "sh", Products.program("authcore"), "--home",
        state.home, "run", "--passcode-fd", "7", "--env", "S=s", "--", "sh", "-c",
        "echo $S; exec ls /proc/self/fd",
      ])
    #expect(shown.text.split(separator: "\n").contains("8"), "\(shown.account)")
    #expect(!shown.text.split(separator: "\n").contains("7"), "\(shown.account)")
    #expect(shown.text.hasPrefix("x\n"))
  }
}
