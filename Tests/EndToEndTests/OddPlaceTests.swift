import Foundation
import TestSupport
import Testing

@Suite("State folders on odd disks, and odd environments", .timeLimit(.minutes(60)))
struct OddPlaceTests {
  /// Runs a script in a mount namespace of its own. `authcore` in it is the command, for the state
  /// folder `home`; the core ends after the script.
  private func script(_ lines: [String], in folder: TemporaryFolder) throws -> CommandRun {
    let passcode = try folder.write("passcode", TestHome.passcode)
    let program = Products.program("authcore")
    let start = [
      "cd '\(folder.url.path)'; P='--passcode-file \(passcode)'",
      "authcore() { timeout -s KILL 60 '\(program)' --home home \"$@\"; echo \"=> $?\"; }",
      "mkdir -m 700 home",
    ]
    return try run(
      "/usr/bin/unshare",
      [
        "--mount", "--map-root-user", "/bin/sh", "-c",
        (start + lines + ["'\(program)' --home home quit >&2"]).joined(separator: "\n"),
      ], seconds: 300)
  }

  /// Whether root can mount here. In a user namespace the folders above the programs would belong to
  /// nobody, and the programs would not be trusted. `scripts/test` as root runs this suite as root.
  private static let canMount: Bool = {
    let test = "test $(stat -c %u /) = 0 && mount -t tmpfs none /tmp"
    let run = try? run("/usr/bin/unshare", ["--mount", "--map-root-user", "/bin/sh", "-c", test])
    return run?.status == 0
  }()

  private func codes(_ run: CommandRun) -> [String] {
    run.text.split(separator: "\n").filter { $0.hasPrefix("=> ") }.map { String($0.dropFirst(3)) }
  }

  @Test(
    "on a read-only disk every command says so, and none hangs or pretends",
    .enabled(if: OddPlaceTests.canMount, "a disk of its own takes root"))
  func readOnly() throws {
    let folder = try TemporaryFolder()
    let run = try script(
      [
        "mount -t tmpfs -o mode=700 tmpfs home", "authcore passcode set $P",
        "printf s3cret | authcore item add mail", "authcore quit", "mount -o remount,ro home",
        "authcore status", "authcore item get mail", "authcore unlock $P",
        "authcore item add news </dev/null", "authcore quit",
      ], in: folder)
    #expect(codes(run) == ["0", "0", "0", "5", "5", "5", "5", "0"], "\(run.account)")
    #expect(run.errors.contains("Read-only file system"), "\(run.account)")
  }

  @Test(
    "on a full disk what is there stays readable, and a change that does not fit is none",
    .enabled(if: OddPlaceTests.canMount, "a disk of its own takes root"))
  func full() throws {
    let folder = try TemporaryFolder()
    let fill = "head -c 48000 /dev/zero | authcore item add"
    let run = try script(
      [
        "mount -t tmpfs -o mode=700,size=400k tmpfs home", "authcore passcode set $P",
        "printf s3cret | authcore item add mail",
        "for i in 1 2 3 4 5 6 7 8; do \(fill) \"n$i\"; done > filled 2>&1",
        "authcore item get mail", "authcore status", "authcore item list",
      ], in: folder)
    #expect(codes(run) == ["0", "0", "0", "0"], "\(run.account)")
    #expect(run.text.contains("s3cret=> 0"), "\(run.account)")
    let filled = try String(
      contentsOf: folder.url.appendingPathComponent("filled"), encoding: .utf8)
    #expect(filled.contains("no space is left on the device; nothing was changed"), "\(filled)")
    let added = filled.components(separatedBy: "Added n").count - 1
    #expect(run.text.components(separatedBy: "generic  n").count - 1 == added, "\(run.account)")
  }

  @Test(
    "A5: on a full disk the passcode and a finger open what is there, again and again",
    .enabled(if: OddPlaceTests.canMount, "a disk of its own takes root"))
  func openOnFullDisk() throws {
    let folder = try TemporaryFolder()
    let run = try script(
      [
        "mount -t tmpfs -o mode=700,size=4m tmpfs home",
        "authcore --driver replay passcode set $P", "authcore --driver replay finger enroll $P",
        "printf s3cret | authcore --driver replay item add mail --access biometry-any",
        "head -c 4m /dev/zero > home/filler 2>/dev/null; ! head -c 4096 /dev/zero > home/more 2>&1",
        "for i in 1 2; do authcore --driver replay lock; authcore --driver replay unlock $P; done",
        "for i in 1 2 3; do authcore --driver replay item get mail; done",
        "authcore --driver replay lock; authcore --driver replay unlock $P",
        "authcore --driver replay item get mail",
      ], in: folder)
    #expect(codes(run) == Array(repeating: "0", count: 9), "\(run.account)")
    #expect(run.text.components(separatedBy: "s3cret=> 0\n").count == 5, "\(run.account)")
  }

  @Test(
    "FINDINGS B13: items are removed on a full disk, also by a core that finds it full",
    .enabled(if: OddPlaceTests.canMount, "a disk of its own takes root"))
  func removeOnFullDisk() throws {
    let folder = try TemporaryFolder()
    let fill = "head -c 4m /dev/zero >> home/filler 2>/dev/null"
    let run = try script(
      [
        "mount -t tmpfs -o mode=700,size=4m tmpfs home", "authcore passcode set $P",
        "for i in 1 2 3 4 5 6; do printf s3cret | authcore item add \"n$i\"; done", fill,
        "head -c 40000 /dev/zero | authcore item add more", "authcore item remove n1", fill,
        "authcore item remove n2", "authcore quit", fill, "authcore unlock $P",
        "authcore item remove n3", fill, "authcore item remove n4", "authcore item list",
      ], in: folder)
    let expected = Array(repeating: "0", count: 7) + ["5"] + Array(repeating: "0", count: 7)
    #expect(codes(run) == expected, "\(run.account)")
    #expect(run.text.contains("n5") && run.text.contains("n6"), "\(run.account)")
  }

  @Test("what can be no state folder is said to be none, and gets no file")
  func noFolder() throws {
    let folder = try TemporaryFolder()
    let open = folder.url.appendingPathComponent("open")
    try FileManager.default.createDirectory(at: open, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open.path)
    let file = try folder.write("file", Data())
    let long = folder.url.path + "/" + String(repeating: "h", count: 300)
    for (home, status) in [
      (open.path, 5), (file.path, 64), ("/dev/null", 64), (long, 64), ("", 64),
    ]
      as [(String, Int32)]
    {
      for driver in [[], ["--driver", "replay"]] {
        let refused = try run("authcore", ["--home", home] + driver + ["status"])
        #expect(refused.status == status, "\(refused.account)")
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: open.path).isEmpty)
  }

  @Test("variables that are unset, empty, relative or strange change nothing that they do not name")
  func environment() throws {
    let folder = try TemporaryFolder()
    let (state, home) = (folder.url.path + "/state", folder.url.path + "/home")
    let program = Products.program("authcore")
    for variables in [
      ["XDG_STATE_HOME=\(state)"], ["XDG_STATE_HOME=\(state)", "HOME=relative"],
      ["XDG_STATE_HOME=\(state)", "HOME=", "PATH=", "TERM=", "LANG=nosuch"],
      ["XDG_STATE_HOME=\(state)", "HOME=/nonexistent", "TERM=\u{1B}[31m", "COLUMNS=x"],
      ["HOME=\(home)"], ["HOME=\(home)", "XDG_STATE_HOME=relative", "XDG_CACHE_HOME=relative"],
      ["HOME=\(home)", "XDG_STATE_HOME=", "XDG_CACHE_HOME=/dev/null", "TMPDIR=/nonexistent"],
      ["HOME=\(home)", "AUTHCORE_HOME=", "AUTHCORE_DRIVER=", "NO_COLOR="],
    ] {
      func authcore(_ arguments: String...) throws -> CommandRun {
        try run("/usr/bin/env", ["-i", "AUTHCORE_TPM=off"] + variables + [program] + arguments)
      }
      let add = try authcore("item", "add", "mail")
      #expect([0, 3].contains(add.status), "added, or there already: \(add.account)")
      let list = try authcore("item", "list")
      #expect(list.status == 0 && list.text.contains("mail"), "\(list.account)")
      #expect(list.errors.isEmpty, "\(list.account)")
    }
    for core in [state + "/authcore", home + "/.local/state/authcore"] {
      #expect(FileManager.default.fileExists(atPath: core + "/core.lock"), "\(core)")
      #expect(try run("authcore", ["--home", core, "quit"]).text == "The core has ended.\n")
    }
  }
}

/// CLI.md, "a missing state folder" (FINDINGS B13).
@Suite("A state folder that is not there", .timeLimit(.minutes(60)))
struct MissingFolderTests {
  private let folder: TemporaryFolder
  private let home: String

  init() throws {
    folder = try TemporaryFolder()
    home = folder.file("mistyped")
  }

  private var isThere: Bool { FileManager.default.fileExists(atPath: home) }

  private func authcore(_ arguments: [String], input: String = "") throws -> CommandRun {
    try run("authcore", ["--json", "--home", home] + arguments, input: Data(input.utf8))
  }

  private func file(_ text: String) throws -> String {
    try folder.write(UUID().uuidString, text)
  }

  private func quit() throws {
    #expect(try authcore(["quit"]).status == 0)
    try FileManager.default.removeItem(atPath: home)
  }

  @Test("FINDINGS B13: without a terminal what begins no keychain makes none, and ends with 3")
  func refused() throws {
    for arguments in [
      ["item", "list"], ["item", "get", "mail"], ["item", "remove", "mail"], ["unlock"], ["lock"],
      ["auth", "--reason", "x"], ["finger", "list"], ["key", "list"], ["key", "identities"],
      ["passcode", "remove"],
      ["keychain", "check"], ["app", "list"], ["run", "--env", "A=mail", "--", "true"],
    ] {
      let refused = try authcore(arguments)
      #expect(refused.status == 3, "\(refused.account)")
      #expect(refused.json["error"]?["message"]?.string?.contains(home) == true)
      #expect(!isThere, "\(arguments)")
    }
  }

  @Test("FINDINGS B13: status, doctor and quit answer as for an empty one, and make none")
  func imagined() throws {
    let status = try authcore(["status"])
    #expect(status.status == 0 && status.json["passcodeSet"]?.bool == false, "\(status.account)")
    #expect(status.json["home"]?.string == home && status.json["mode"]?.string == "on-demand")
    let replay = try authcore(["--driver", "replay", "status"])
    #expect(replay.json["driver"]?["name"]?.string == "replay", "\(replay.account)")
    let doctor = try authcore(["doctor"])
    #expect(doctor.status == 0 && doctor.text.contains(home), "\(doctor.account)")
    #expect(try authcore(["quit"]).status == 0)
    #expect(!isThere)
  }

  @Test("status of a missing folder leaves neither core nor folder behind")
  func nothingLeft() throws {
    let scratch = folder.url.appendingPathComponent("tmp")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
    try run("authcore", ["--home", home, "status"], environment: ["TMPDIR": scratch.path])
      .expectSuccess()
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
  }

  @Test("without a terminal what begins a keychain makes one")
  func made() throws {
    let passcode = try file(TestHome.passcode)
    let csv = try file("name,url,username,password\nMail,,ann,x\n")
    for (arguments, status) in [
      (["passcode", "set", "--passcode-file", passcode], 0), (["item", "add", "mail"], 0),
      (["item", "generate", "mail"], 0), (["key", "create", "signer"], 0),
      (["import", csv, "--apply"], 0), (["--driver", "replay", "finger", "enroll"], 2),
      (["backup", "restore", csv, "--passphrase-file", passcode], 64),
    ] as [([String], Int32)] {
      let made = try authcore(arguments)
      #expect(made.status != 3, "\(made.account)")
      if status == 0 { #expect(made.status == 0 && isThere, "\(made.account)") }
      if isThere { try quit() }
    }
    let guided = try run("authcore", ["--driver", "replay", "--home", home])
    #expect(guided.status == 0 && isThere, "\(guided.account)")
    try quit()
  }

  @Test("Git gets nothing from a folder that is not there, and stores into one that it makes")
  func git() throws {
    let place = "protocol=https\nhost=example.org\n"
    for operation in ["get", "erase"] {
      let asked = try authcore(["git-credential", operation], input: place + "\n")
      #expect(asked.status == 0 && asked.text.isEmpty && !isThere, "\(asked.account)")
    }
    let stored = try authcore(
      ["git-credential", "store"], input: place + "username=ann\npassword=x\n\n")
    #expect(stored.status == 0 && isThere, "\(stored.account)")
    try quit()
  }

  @Test("FINDINGS B13: on a terminal it is asked for, and made with a yes alone")
  func asked() throws {
    for (command, answer) in [
      (["passcode", "set"], "\n"), (["item", "list"], "no\n"), (["item", "list"], "\u{4}"),
    ] {
      let refused = try TerminalRun(
        ["--home", home] + command, [.init(seen: "[y/N]", typed: answer)])
      #expect(refused.status == 1 && refused.shown.contains(home), "\(refused)")
      #expect(!isThere && refused.isTerminalAsBefore)
    }
    let set = try TerminalRun(
      ["--home", home, "passcode", "set"],
      [
        .init(seen: "[y/N]", typed: "y\n"), .init(seen: "New passcode", typed: "s3cret\n"),
        .init(seen: "again", typed: "s3cret\n"),
      ])
    #expect(set.status == 0 && isThere, "\(set)")
    let again = try TerminalRun(["--home", home, "item", "list"])
    #expect(again.status == 0 && !again.shown.contains("[y/N]"), "\(again)")
    try quit()
    let status = try TerminalRun(["--home", home, "status"])
    #expect(status.status == 0 && !isThere && !status.shown.contains("[y/N]"), "\(status)")
  }
}
