import Glibc

/// A terminal that shows nothing of what is typed and hands over every key at once, until the value
/// dies.
///
/// Ctrl-C and Ctrl-Z come as keys, too: a process that stopped at once would leave the shell with a
/// terminal that shows nothing.
package struct SilentMode: ~Copyable {
  private let descriptor: Int32
  private let before: termios
  /// Whether what was typed and not read is forgotten: it was meant for a prompt that is over, and
  /// must not reach the shell.
  package var discardsInput = false

  /// What was typed before is forgotten: it was meant for something else (FINDINGS B4).
  /// - Returns: nil where the terminal cannot be set so.
  package init?(_ terminal: Terminal) {
    var settings = termios()
    guard unsafe tcgetattr(terminal.descriptor, &settings) == 0 else { return nil }
    descriptor = terminal.descriptor
    before = settings
    settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG)
    settings.c_iflag |= tcflag_t(ICRNL)
    unsafe withUnsafeMutableBytes(of: &settings.c_cc) { keys in
      unsafe keys[Int(VMIN)] = 1
      unsafe keys[Int(VTIME)] = 0
    }
    _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &settings)
  }

  deinit {
    var settings = before
    _ = unsafe tcsetattr(descriptor, discardsInput ? TCSAFLUSH : TCSADRAIN, &settings)
  }
}
