import Cryptography
import Glibc
import LinuxSystem
import Protocol

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
