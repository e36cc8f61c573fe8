import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// A program that sets, shows and clears the clipboard: wl-copy and wl-paste, xclip, or xsel.
struct ClipboardProgram: Clipboard {
  private let setting: Call
  private let showing: Call
  private let clearing: Call
  /// The option that tells clipboard managers to keep no copy; nil if it has none.
  private let sensitiveOption: String?

  private struct Call {
    let path: String
    let arguments: [String]
  }

  /// The longest that a program may take, in milliseconds: one may wait for a desktop that hangs.
  private static let deadline: Int32 = 5_000

  /// wl-clipboard, if its programs are on the search path.
  static func wayland(path: String) -> ClipboardProgram? {
    guard let copy = file("wl-copy", path), let paste = file("wl-paste", path) else { return nil }
    return ClipboardProgram(
      setting: Call(path: copy, arguments: ["--type", "text/plain"]),
      showing: Call(path: paste, arguments: ["--no-newline"]),
      clearing: Call(path: copy, arguments: ["--clear"]), sensitiveOption: "--sensitive")
  }

  /// xclip, else xsel.
  static func x11(path: String) -> ClipboardProgram? {
    if let xclip = file("xclip", path) {
      let selection = ["-selection", "clipboard"]
      return ClipboardProgram(
        setting: Call(path: xclip, arguments: selection + ["-in"]),
        showing: Call(path: xclip, arguments: selection + ["-out"]),
        clearing: Call(path: xclip, arguments: selection + ["-in", "/dev/null"]),
        sensitiveOption: nil)
    }
    return file("xsel", path).map { xsel in
      ClipboardProgram(
        setting: Call(path: xsel, arguments: ["--clipboard", "--input"]),
        showing: Call(path: xsel, arguments: ["--clipboard", "--output"]),
        clearing: Call(path: xsel, arguments: ["--clipboard", "--clear"]), sensitiveOption: nil)
    }
  }

  /// Puts a secret there, through a pipe to the program.
  func set(_ secret: borrowing SecretBytes) throws(Failure) {
    var arguments = setting.arguments
    if let option = try knownSensitiveOption() { arguments.append(option) }
    try run(Call(path: setting.path, arguments: arguments), writing: secret.bytes)
  }

  /// What is there; nil if it is more than `limit` bytes, or cannot be shown.
  private func show(limit: Int) throws(Failure) -> SecretBytes? {
    var pipe = try Pipe(nonBlocking: .reader)
    var launch = launch(showing)
    launch.standardStreams = [nil, pipe.writer, nil]
    let process = try start(launch)
    pipe.closeWriter()
    var shown = SecretBytes(count: limit + 1)
    var filled = 0
    while filled < shown.count {
      var polled = pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&polled, 1, Self.deadline)
      if ready < 0, errno == EINTR { continue }
      let start = filled
      let count =
        ready <= 0
        ? -1
        : unsafe shown.withUnsafeMutableBytes { buffer in
          unsafe read(
            pipe.reader, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start)
        }
      if count == 0 { break }
      guard count > 0 else {
        process.kill()
        _ = process.wait()
        return nil
      }
      filled += count
    }
    if filled > limit { process.kill() }
    let end = process.wait(milliseconds: Self.deadline)
    guard end == .exited(0), filled <= limit else { return nil }
    return shown.extracting(0..<filled)
  }

  func takeBack(_ mark: ClipboardMark) throws(Failure) -> Bool {
    guard let shown = try show(limit: largestItemSecret), try mark.isThat(of: shown) else {
      return false
    }
    try run(clearing, writing: nil)
    return true
  }

  /// The option, if the program's help mentions it: older versions do not know it.
  private func knownSensitiveOption() throws(Failure) -> String? {
    guard let sensitiveOption else { return nil }
    let help = ClipboardProgram(
      setting: setting, showing: Call(path: setting.path, arguments: ["--help"]),
      clearing: clearing, sensitiveOption: nil)
    guard let text = try help.show(limit: 64 << 10) else { return nil }
    let words = String(decoding: text.copied, as: UTF8.self)
    return words.contains(sensitiveOption) ? sensitiveOption : nil
  }

  /// The program may stay to serve the clipboard. It must not keep this command's standard output
  /// open.
  private func launch(_ call: Call) -> ProgramLaunch {
    var launch = ProgramLaunch(path: call.path, arguments: call.arguments)
    launch.environment = EnvironmentVariable.entries
    return launch
  }

  private func start(_ launch: ProgramLaunch) throws(Failure) -> ChildProcess {
    do throws(SystemCallError) {
      return try launch.start()
    } catch {
      throw Failure(.unsupported, "\(launch.path.printable) cannot be started: \(error.reason)")
    }
  }

  private func run(_ call: Call, writing bytes: Span<UInt8>?) throws(Failure) {
    var launch = launch(call)
    // It keeps serving the clipboard. Ctrl-C on this terminal must not end it.
    launch.startsSession = true
    let process: ChildProcess
    if let bytes {
      // A secret has at most 48 KiB, and a pipe holds 64 without a reader (pipe(7)).
      var pipe = try Pipe(nonBlocking: .writer)
      launch.standardStreams = [pipe.reader, nil, nil]
      process = try start(launch)
      let isWritten = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(pipe.writer, buffer.baseAddress, buffer.count) == buffer.count
      }
      pipe.closeWriter()
      guard isWritten else { throw failure(call, "takes no text") }
    } else {
      process = try start(launch)
    }
    guard let end = process.wait(milliseconds: Self.deadline) else {
      process.kill()
      _ = process.wait()
      throw failure(call, "does not end")
    }
    guard end == .exited(0) else { throw failure(call, end.description) }
  }

  private func failure(_ call: Call, _ reason: String) -> Failure {
    Failure(
      .unsupported, "\(call.path.printable) \(reason)",
      hint: "The clipboard may be out of reach. Try the terminal's own with --osc52.")
  }

  /// Finds a program as a shell does.
  private static func file(_ name: String, _ path: String) -> String? {
    path.split(separator: ":").lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
      .first { unsafe access($0, X_OK) == 0 }
  }
}
