import Glibc
import LinuxSystem
package import Protocol

/// The controlling terminal of this process's session, where the person who runs it is, whatever
/// standard input, output and error are (as with ssh and sudo). One thread at a time.
package final class Terminal {
  package let descriptor: Int32
  /// Whether this process is a daemon: what started it does not wait for it, and may read the keys.
  var isOfDaemon = false

  /// A terminal that is closed with this value.
  package init(owning descriptor: Int32) { self.descriptor = descriptor }

  /// The controlling terminal, or nil if there is none: cron, CI, `setsid`.
  package static func controlling() -> Terminal? {
    // tty(4): opening fails with ENXIO for a process without one.
    let number = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    return number >= 0 ? Terminal(owning: number) : nil
  }

  /// The controlling terminal of another process of this user, only to write to, if that process is
  /// in its foreground: the person who waits for it looks there. Nil if the process is in another
  /// mount namespace, where another terminal may have the name. A terminal that is stopped (Ctrl-S)
  /// holds no thread.
  package static func writable(inFrontOf process: Int32) -> Terminal? {
    guard let status = ProcessStatus(of: process), status.terminal == .foreground,
      let name = deviceName(status.terminalDevice),
      let namespace = ObservedProcess.namespace("mnt", of: "/proc/\(process)"),
      namespace == ObservedProcess.namespace("mnt", of: "/proc/self")
    else { return nil }
    let number = unsafe open(
      "/dev/" + name, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else { return nil }
    let terminal = Terminal(owning: number)
    var file = stat()
    guard unsafe fstat(number, &file) == 0, file.st_rdev == status.terminalDevice,
      file.st_uid == geteuid()
    else { return nil }
    return terminal
  }

  /// Where the terminals of windows and of the console lie (Linux's Documentation/admin-guide
  /// devices.txt): majors 136 to 143, and 4 with minors below 64. Numbers up to 20 bits are the
  /// same in `/proc/PID/stat` and in `st_rdev`.
  private static func deviceName(_ device: UInt64) -> String? {
    let (major, minor) = (device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00)
    return switch major {
    case 136...143: "pts/\((major - 136) << 8 | minor)"
    case 4 where minor < 64: "tty\(minor)"
    default: nil
    }
  }

  /// Whether its window was closed or its line has ended.
  package var isGone: Bool {
    var polled = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&polled, 1, 0) == 1 && polled.revents & Int16(POLLHUP) != 0
  }

  /// Reads the next key, which must be available: one byte, or the bytes of a function key that
  /// came at once. Further keys stay for the next question.
  /// - Returns: nil at the end of the terminal.
  package func read() -> TypedBytes? {
    var bytes = SecretBytes(count: 16)
    guard var count = read(1, into: &bytes, at: 0) else { return nil }
    // Byte by byte: what follows a function key, such as the text of a paste, is separate.
    while count < bytes.count, Key.isUnfinished(bytes.bytes.extracting(first: count)), hasMore,
      let more = read(1, into: &bytes, at: count), more > 0
    {
      count += more
    }
    return TypedBytes(bytes: bytes, count: count)
  }

  /// Discards typed but unread input: it was meant for something else.
  package func forgetTyped() { tcflush(descriptor, TCIFLUSH) }

  private func read(_ count: Int, into bytes: inout SecretBytes, at start: Int) -> Int? {
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe Glibc.read(descriptor, buffer.baseAddress.map { unsafe $0 + start }, count)
    }
    if count < 0, errno == EINTR || errno == EAGAIN { return 0 }
    return count > 0 ? count : nil
  }

  private var hasMore: Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, 0) == 1
  }

  deinit { close(descriptor) }
}

/// Typed bytes, which may be part of a passcode.
package struct TypedBytes: ~Copyable {
  /// Only the first `count` bytes count.
  package let bytes: SecretBytes
  /// At least one, unless reading was interrupted.
  package let count: Int
}

/// A terminal without echo that delivers every key at once, as long as the value lives.
///
/// Ctrl-C and Ctrl-Z come as keys, too: a process that stopped at once would leave the terminal
/// without echo.
package struct SilentMode: ~Copyable {
  private let descriptor: Int32
  private let before: termios
  /// Whether unread input is discarded: it was meant for a prompt that is over and must not reach
  /// the shell.
  package var discardsInput = false

  /// Discards earlier input, which was meant for something else (FINDINGS B4).
  /// - Returns: nil if the terminal cannot be set so.
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
    // Not TCSAFLUSH, which waits for the output of a terminal that is stopped.
    _ = unsafe tcsetattr(descriptor, TCSANOW, &settings)
    tcflush(descriptor, TCIFLUSH)
  }

  deinit {
    var settings = before
    if discardsInput { tcflush(descriptor, TCIFLUSH) }
    _ = unsafe tcsetattr(descriptor, TCSANOW, &settings)
  }
}

/// A key, as far as it concerns a prompt.
package enum Key: Equatable, Sendable {
  /// A byte of text; several make a character.
  case byte(UInt8)
  case enter
  case backspace
  /// Ctrl-U.
  case eraseAll
  /// Escape.
  case escape
  /// Ctrl-D, or the terminal is gone.
  case end
  /// Ctrl-C.
  case interrupt
  /// Ctrl-Z.
  case suspend

  /// The first byte of a function key.
  static var escapeByte: UInt8 { 0x1B }

  /// The keys in `bytes`. An escape byte with further bytes is a function key and is ignored.
  package static func keys(in bytes: Span<UInt8>) -> [Key] {
    var keys: [Key] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case 0x0A, 0x0D: keys.append(.enter)
      case 0x7F, 0x08: keys.append(.backspace)
      case 0x15: keys.append(.eraseAll)
      case 0x04: keys.append(.end)
      case 0x03: keys.append(.interrupt)
      case 0x1A: keys.append(.suspend)
      case escapeByte:
        guard index < bytes.count else {
          keys.append(.escape)
          continue
        }
        index = end(ofSequenceAt: index, in: bytes)
      case 0x20...0xFF: keys.append(.byte(byte))
      default: continue
      }
    }
    return keys
  }

  static func isUnfinished(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > 0, bytes[0] == escapeByte else { return false }
    guard bytes.count > 2 else { return bytes.count == 1 || beginsSequence(bytes[1]) }
    return beginsSequence(bytes[1]) && !isFinal(bytes[bytes.count - 1])
  }

  private static func beginsSequence(_ byte: UInt8) -> Bool { byte == 0x5B || byte == 0x4F }

  private static func isFinal(_ byte: UInt8) -> Bool { 0x40...0x7E ~= byte }

  /// ECMA-48 §5.4: `[` and parameters up to a final byte 0x40…0x7E; any other byte ends it.
  private static func end(ofSequenceAt start: Int, in bytes: Span<UInt8>) -> Int {
    guard beginsSequence(bytes[start]) else { return start + 1 }
    var index = start + 1
    while index < bytes.count, !isFinal(bytes[index]) { index += 1 }
    return min(index + 1, bytes.count)
  }
}
