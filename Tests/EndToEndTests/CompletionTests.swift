import Foundation
import TestSupport
import Testing

private func shell(_ name: String) -> String? {
  ["/usr/bin/", "/bin/"].map { $0 + name }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}

@Suite("Completion in shells", .timeLimit(.minutes(60)))
struct CompletionTests {
  /// What a shell offers for a command line, a line each.
  private func offered(by shell: String, _ script: String, _ state: TestHome) throws -> [String] {
    let file = try run("authcore", ["completions", shell])
    #expect(file.status == 0 && file.errors == "", "\(file.account)")
    let path = try state.folder.write("script-\(UUID().uuidString)", file.output).path
    let asked = try run(
      "/usr/bin/env", [shell] + (shell == "bash" ? ["--norc"] : []) + ["-c", script],
      environment: [
        "SCRIPT": path, "AUTHCORE_HOME": state.home, "HOME": state.folder.url.path,
        "PATH": "\(Products.folder.path):/usr/bin:/bin",
      ])
    #expect(asked.errors == "", "\(asked.account)")
    return asked.text.split(separator: "\n").map(String.init)
  }

  private func bash(_ words: [String], _ state: TestHome) throws -> [String] {
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    return try offered(
      by: "bash",
      """
      source "$SCRIPT"
      COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1)
      COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
      _authcore authcore "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" 2>&1
      printf '%s\\n' "${COMPREPLY[@]}"
      """, state)
  }

  private func filled() throws -> TestHome {
    let state = try TestHome()
    for (service, account) in [("mail", "ann"), ("mail", "bob"), ("my disk", "eve")] {
      try state.succeed("item", "add", service, account, secret: "x")
    }
    try state.succeed("key", "create", "deploy")
    return state
  }

  @Test("bash completes commands, options, services, accounts and keys")
  func bashNames() throws {
    let state = try filled()
    #expect(try bash(["authcore", "ite"], state) == ["item"])
    #expect(try bash(["authcore", "item", "gen"], state) == ["generate"])
    #expect(try bash(["authcore", "item", "get", "--servi"], state) == ["--service"])
    #expect(try bash(["authcore", "item", "get", "m"], state) == ["mail", "my disk"])
    #expect(try bash(["authcore", "item", "get", "--service", "my"], state) == ["my disk"])
    #expect(try bash(["authcore", "item", "get", "mail", ""], state) == ["ann", "bob"])
    #expect(try bash(["authcore", "key", "sign", "d"], state) == ["deploy"])
    #expect(try bash(["authcore", "driver", "info", "rep"], state) == ["replay"])
    #expect(try bash(["authcore", "completions", "z"], state) == ["zsh"])
  }

  @Test("a name that looks like a command is completed, and not run")
  func injection() throws {
    let state = try TestHome()
    let mark = state.folder.file("mark")
    for name in ["$(touch \(mark))", "`touch \(mark)`", "';touch \(mark);'", "a\ntouch \(mark)"] {
      try state.succeed("item", "add", name, secret: "x")
    }
    let names = try bash(["authcore", "item", "get", ""], state)
    #expect(
      names.sorted() == ["$(touch \(mark))", "';touch \(mark);'", "`touch \(mark)`"].sorted())
    #expect(!FileManager.default.fileExists(atPath: mark))
  }

  @Test("no core is started, and nobody is asked, for a name")
  func quiet() throws {
    let state = try TestHome()
    #expect(try bash(["authcore", "item", "get", ""], state).allSatisfy { $0.hasPrefix("-") })
    #expect(state.core == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: state.home).isEmpty)
    try state.setUp()
    try state.succeed("item", "add", "vault", "--access", "presence", secret: "x")
    #expect(try bash(["authcore", "item", "get", "v"], state) == ["vault"])
    #expect(try bash(["authcore", "finger", "remove", ""], state).contains("right-index"))
  }

  @Test("zsh reads its script", .enabled(if: shell("zsh") != nil, "zsh is not installed"))
  func zsh() throws {
    let state = try filled()
    let reading = "autoload -U compinit; compinit -D -u; source $SCRIPT; echo read"
    #expect(try offered(by: "zsh", reading, state) == ["read"])
  }

  @Test(
    "FINDINGS B13: fish completes commands and names, for complete -C too",
    .enabled(if: shell("fish") != nil, "fish is not installed"))
  func fish() throws {
    let state = try filled()
    func fish(_ line: String) throws -> [String] {
      try offered(by: "fish", "source $SCRIPT; complete -C '\(line)'", state)
    }
    #expect(try fish("authcore ite").first?.hasPrefix("item") == true)
    #expect(try fish("authcore item get ") == ["mail", "my disk"])
    #expect(try fish("authcore item get ma") == ["mail"])
    #expect(try fish("authcore item get mail ") == ["ann", "bob"])
  }
}
