import CoreClient
import Cryptography
import Glibc
import LinuxSystem
import Protocol

/// The clipboard of the desktop, through a program, or that of the terminal.
protocol Clipboard {
  func set(_ secret: borrowing SecretBytes) throws(Failure)
  /// Clears it, unless it is known to hold something else than the marked secret.
  /// - Returns: whether it was cleared.
  func takeBack(_ mark: ClipboardMark) throws(Failure) -> Bool
}

/// Finds the clipboard that there is.
enum FoundClipboard {
  /// `environment` gives the value of a variable, `usesTerminal` is `--osc52`.
  static func find(
    _ environment: (String) -> String?, usesTerminal: Bool
  ) throws(Failure) -> any Clipboard {
    if usesTerminal { return try TerminalClipboard() }
    func isThere(_ name: String) -> Bool { environment(name)?.isEmpty == false }
    let path = environment("PATH") ?? ""
    if isThere("WAYLAND_DISPLAY") {
      if let program = ClipboardProgram.wayland(path: path) { return program }
      if !isThere("DISPLAY") {
        throw missing("wl-copy", of: "wl-clipboard", on: "Wayland")
      }
    }
    if isThere("DISPLAY") {
      guard let program = ClipboardProgram.x11(path: path) else {
        throw isThere("WAYLAND_DISPLAY")
          ? missing("wl-copy", of: "wl-clipboard", on: "Wayland")
          : missing("xclip or xsel", of: "xclip", on: "X11")
      }
      return program
    }
    if RemoteLogin.isUsed(environment) { return try TerminalClipboard() }
    throw Failure(
      .unsupported, "There is no clipboard here: neither Wayland nor X11",
      hint: "Try the terminal's clipboard with --osc52, or use: authcore item get")
  }

  private static func missing(_ program: String, of package: String, on desktop: String) -> Failure
  {
    Failure(
      .unsupported, "\(program) is missing, which reaches the clipboard of \(desktop)",
      hint: "Install \(package), or use the terminal's own clipboard: --osc52")
  }
}

/// The clipboard of a terminal, also over SSH, set by an escape sequence (xterm's "OSC 52", ctlseqs).
/// Terminals do not say whether they obey it, and hardly any lets the clipboard be read.
private final class TerminalClipboard: Clipboard {
  private let terminal: Descriptor

  /// - Throws: `notInteractive` without a terminal.
  init() throws(Failure) {
    var number = unsafe open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY)
    if number < 0, isatty(STDERR_FILENO) == 1 {
      number = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    }
    guard number >= 0 else {
      throw Failure(
        .notInteractive, "There is no terminal whose clipboard could be set",
        hint: "Run it on a terminal, without --osc52 on a desktop.")
    }
    terminal = Descriptor(owning: number)
  }

  func set(_ secret: borrowing SecretBytes) throws(Failure) {
    let encoded = Base64.encoded(secret.bytes)
    var sequence = WireEncoder(capacity: encoded.count + 16)
    sequence.writeRaw(Self.start.span)
    sequence.writeRaw(encoded.bytes)
    sequence.writeRaw(Self.end.span)
    try write(sequence.finish())
  }

  func takeBack(_ mark: ClipboardMark) throws(Failure) -> Bool {
    try write(SecretBytes(copying: (Self.start + Self.end).span))
    return true
  }

  private static let start = Array("\u{1B}]52;c;".utf8)
  private static let end = Array("\u{07}".utf8)

  private func write(_ sequence: consuming SecretBytes) throws(Failure) {
    guard DescriptorBytes.write(sequence.bytes, to: terminal.number) else {
      throw Failure(
        .notInteractive, "The terminal cannot be written to: \(SystemCallError.text(of: errno))")
    }
  }
}

/// Recognizes a secret on the clipboard without keeping it: a salted hash.
struct ClipboardMark {
  private let salt: [UInt8]
  private let hash: [UInt8]

  init(_ secret: borrowing SecretBytes) throws(Failure) {
    salt = try cryptographic { () throws(CryptographyError) in
      try RandomBytes.open(count: 32)
    }
    hash = try Self.hash(salt, secret)
  }

  func isThat(of other: borrowing SecretBytes) throws(Failure) -> Bool {
    try Self.hash(salt, other) == hash
  }

  private static func hash(
    _ salt: [UInt8], _ secret: borrowing SecretBytes
  ) throws(Failure) -> [UInt8] {
    var both = WireEncoder(capacity: salt.count + secret.count)
    both.writeRaw(salt.span)
    both.writeRaw(secret.bytes)
    let bytes = both.finish()
    return try cryptographic { () throws(CryptographyError) in
      try SHA2.sha256(bytes.bytes)
    }
  }
}
