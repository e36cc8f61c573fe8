import CoreClient
import Cryptography
import Glibc
import LinuxSystem
import Protocol

/// Where a secret is put so that it can be pasted: the clipboard of the desktop, through the program
/// that the desktop has for it, or that of the terminal.
enum Clipboard {
  case program(ClipboardProgram)
  /// The terminal's own, which a terminal sets for what runs in it, also at the far end of SSH
  /// (OSC 52). It cannot be read.
  case terminal

  /// Looks for one.
  /// - Parameters:
  ///   - environment: the value of a variable.
  ///   - usesTerminal: `--osc52`.
  /// - Returns: what is there.
  /// - Throws: `unsupported` where there is none, with the way out.
  static func find(
    _ environment: (String) -> String?, usesTerminal: Bool
  ) throws(Failure) -> Clipboard {
    if usesTerminal { return .terminal }
    func isThere(_ name: String) -> Bool { environment(name)?.isEmpty == false }
    let path = environment("PATH") ?? ""
    if isThere("WAYLAND_DISPLAY") {
      if let program = ClipboardProgram.wayland(path: path) { return .program(program) }
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
      return .program(program)
    }
    if RemoteLogin.isUsed(environment) { return .terminal }
    throw Failure(
      .unsupported, "There is no clipboard here: neither Wayland nor X11",
      hint: "A terminal may have one: --osc52. Else: authcore item get")
  }

  private static func missing(_ program: String, of package: String, on desktop: String) -> Failure
  {
    Failure(
      .unsupported, "\(program) is missing, which reaches the clipboard of \(desktop)",
      hint: "Install \(package), or use the terminal's own clipboard: --osc52")
  }
}

/// The clipboard of a terminal: a sequence that terminals obey sets it (xterm's "OSC 52", ctlseqs).
/// They do not say whether they do, and hardly any lets it be read.
struct TerminalClipboard: ~Copyable {
  private let terminal: Descriptor

  /// - Throws: `notInteractive` where there is no terminal.
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

  /// Puts a secret there.
  func set(_ secret: borrowing SecretBytes) throws(Failure) {
    let encoded = Base64.encoded(secret.bytes)
    var sequence = WireEncoder(capacity: encoded.count + 16)
    sequence.writeRaw(Self.start.span)
    sequence.writeRaw(encoded.bytes)
    sequence.writeRaw(Self.end.span)
    try write(sequence.finish())
  }

  /// Leaves nothing there.
  func clear() throws(Failure) { try write(SecretBytes(copying: (Self.start + Self.end).span)) }

  private static let start = Array("\u{1B}]52;c;".utf8)
  private static let end = Array("\u{07}".utf8)

  private func write(_ sequence: consuming SecretBytes) throws(Failure) {
    guard DescriptorBytes.write(sequence.bytes, to: terminal.number) else {
      throw Failure(
        .notInteractive, "The terminal cannot be written to: \(SystemCallError.text(of: errno))")
    }
  }
}

/// By what a secret is known again on the clipboard without being kept: the hash of it and of
/// something random.
struct ClipboardMark {
  private let salt: [UInt8]
  private let hash: [UInt8]

  init(_ secret: borrowing SecretBytes) throws(Failure) {
    salt = try KeyText.cryptographic { () throws(CryptographyError) in
      try RandomBytes.open(count: 32)
    }
    hash = try Self.hash(salt, secret)
  }

  /// Whether these are the same bytes.
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
    return try KeyText.cryptographic { () throws(CryptographyError) in
      try SHA2.sha256(bytes.bytes)
    }
  }
}
