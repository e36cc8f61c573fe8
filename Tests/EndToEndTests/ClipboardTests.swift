import Foundation
import TestSupport
import Testing

@Suite("An item on the clipboard", .timeLimit(.minutes(60)))
struct ClipboardTests {
  /// A desktop whose clipboard is a file and whose programs are scripts; the machine's are not on
  /// the search path. `log` has their calls.
  private struct Desktop {
    let state: TestHome
    private let bin: TemporaryFolder
    private let variables: [String: String]

    init(_ programs: [String: String], _ variables: [String: String]) throws {
      state = try TestHome()
      bin = try TemporaryFolder()
      self.variables = variables
      for (name, body) in programs {
        let text = "#!/bin/sh\necho \"\(name) $*\" >>\"$BOARD.log\"\n\(body)\n"
        let file = try bin.write(name, Data(text.utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
      }
      for tool in ["cat", "cp"] {
        try FileManager.default.createSymbolicLink(
          atPath: bin.file(tool), withDestinationPath: "/bin/" + tool)
      }
      try state.succeed("item", "add", "mail", "ann", secret: "s3cret\n", json: false)
    }

    private var board: String { bin.file("board") }
    var held: String { (try? String(contentsOfFile: board, encoding: .utf8)) ?? "" }
    var log: String { (try? String(contentsOfFile: board + ".log", encoding: .utf8)) ?? "" }

    var environment: [String: String] {
      variables.merging([
        "PATH": bin.path, "BOARD": board, "AUTHCORE_HOME": state.home,
        "LANG": "C.UTF-8", "AUTHCORE_TPM": "off",
      ]) { $1 }
    }

    func copy(_ arguments: String...) throws -> CommandRun {
      try run(
        "authcore", ["--json", "item", "copy", "mail", "ann"] + arguments, environment: environment)
    }

    /// Begins a copy and waits until it says that it is done.
    func begin() throws -> Process {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Products.program("authcore"))
      process.arguments = ["item", "copy", "mail", "ann"]
      process.environment = environment
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      let errors = Pipe()
      process.standardError = errors
      try process.run()
      var said = Data()
      while !String(decoding: said, as: UTF8.self).contains("on the clipboard") {
        let more = errors.fileHandleForReading.availableData
        try #require(!more.isEmpty, "\(String(decoding: said, as: UTF8.self))")
        said += more
      }
      return process
    }
  }

  private static let wayland = [
    "wl-copy": """
    case "$*" in
    *--help*) echo "  -s, --sensitive  Hint that this is a password." ;;
    *--clear*) : >"$BOARD" ;;
    *) cat >"$BOARD" ;;
    esac
    """,
    "wl-paste": "cat \"$BOARD\"",
  ]
  private static let xclip = [
    "xclip": """
    case "$*" in
    *-out*) cat "$BOARD" ;;
    *) cat $4 >"$BOARD"; cp "$BOARD" "$BOARD.last" ;;
    esac
    """
  ]

  @Test("on Wayland it is put there as sensitive, byte by byte, and taken back")
  func onWayland() throws {
    let desktop = try Desktop(Self.wayland, ["WAYLAND_DISPLAY": "wayland-0"])
    let copied = try desktop.copy("--clear-after", "0")
    #expect(copied.status == 0 && copied.json["cleared"]?.bool == true, "\(copied.account)")
    #expect(!copied.text.contains("s3cret") && desktop.held == "")
    #expect(desktop.log.contains("wl-copy --type text/plain --sensitive"), "\(desktop.log)")
    #expect(desktop.log.contains("wl-copy --clear"), "\(desktop.log)")
    #expect(!desktop.log.contains("s3cret"))
  }

  @Test("a wl-copy that knows no sensitive text is used without")
  func olderWayland() throws {
    var programs = Self.wayland
    programs["wl-copy"] = programs["wl-copy"]?.replacingOccurrences(of: "--sensitive", with: "--x")
    let desktop = try Desktop(programs, ["WAYLAND_DISPLAY": "wayland-0"])
    #expect(try desktop.copy("--clear-after", "0").status == 0)
    #expect(desktop.log.contains("wl-copy --type text/plain\n"), "\(desktop.log)")
  }

  @Test("on X11 xclip or xsel does it")
  func onX11() throws {
    let desktop = try Desktop(Self.xclip, ["DISPLAY": ":0"])
    #expect(try desktop.copy("--clear-after", "0").json["cleared"]?.bool == true)
    #expect(desktop.held == "" && desktop.log.contains("-selection clipboard -in /dev/null"))
    let xsel = try Desktop(
      [
        "xsel": """
        case "$*" in
        *--output*) cat "$BOARD" ;;
        *--clear*) : >"$BOARD" ;;
        *) cat >"$BOARD" ;;
        esac
        """
      ], ["DISPLAY": ":0"])
    #expect(try xsel.copy("--clear-after", "0").json["cleared"]?.bool == true)
  }

  @Test("what somebody copied meanwhile stays")
  func replaced() throws {
    var programs = Self.wayland
    programs["wl-paste"] = "printf other"
    let desktop = try Desktop(programs, ["WAYLAND_DISPLAY": "wayland-0"])
    let copied = try desktop.copy("--clear-after", "0")
    #expect(copied.status == 0 && copied.json["cleared"]?.bool == false, "\(copied.account)")
    #expect(desktop.held == "s3cret\n" && !desktop.log.contains("--clear"), "\(desktop.log)")
  }

  @Test(
    "Ctrl-C, and any other signal that can be caught, takes it back at once", arguments: [2, 15, 1])
  func interrupted(signal: Int32) throws {
    let desktop = try Desktop(Self.wayland, ["WAYLAND_DISPLAY": "wayland-0"])
    let process = try desktop.begin()
    #expect(desktop.held == "s3cret\n")
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationStatus == 128 + signal)
    #expect(desktop.held == "")
  }

  @Test("where there is no clipboard nobody is asked for anything, and the way out is named")
  func missing() throws {
    let nothing = try Desktop([:], [:])
    let plain = try nothing.copy()
    #expect(plain.status == 64 && plain.errorName == "unsupported", "\(plain.account)")
    #expect(plain.text.contains("--osc52"), "\(plain.account)")
    let bare = try Desktop([:], ["WAYLAND_DISPLAY": "wayland-0"])
    #expect(try bare.copy().text.contains("wl-clipboard"))
    let broken = try Desktop(
      ["wl-copy": "exit 1", "wl-paste": "exit 1"], ["WAYLAND_DISPLAY": "wayland-0"])
    let failed = try broken.copy("--clear-after", "0")
    #expect(failed.status == 64 && failed.text.contains("status 1"), "\(failed.account)")
  }

  @Test("the terminal is told, and told to forget, where that is asked for")
  func osc52() throws {
    let state = try TestHome()
    try state.succeed("item", "add", "mail", secret: "s3cret")
    let shown = try TerminalRun(
      ["--home", state.home, "item", "copy", "mail", "--osc52", "--clear-after", "0"], [])
    let encoded = Data("s3cret".utf8).base64EncodedString()
    #expect(shown.status == 0, "\(shown.shown)")
    #expect(
      shown.shown.contains("\u{1B}]52;c;\(encoded)\u{07}\u{1B}]52;c;\u{07}"), "\(shown.shown)")
  }

  @Test("what makes no sense is refused", arguments: [["--clear-after", "-1"], ["--reason", ""]])
  func usage(words: [String]) throws {
    try run("authcore", ["--json", "item", "copy", "mail"] + words).expect(status: 64)
  }
}
