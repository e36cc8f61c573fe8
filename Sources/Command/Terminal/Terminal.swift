import Glibc
import Wire

/// The terminal of the person who runs the command.
///
/// It is standard input where that is one. Where standard input is a pipe or file that carries a
/// secret, and a person looks at standard error, it is the controlling terminal. Standard input on
/// `/dev/null` says that there is nobody.
final class Terminal {
  /// For reading keys.
  let descriptor: Int32
  private let isOwned: Bool

  /// A terminal that was found otherwise; `isOwned`: it is closed with the value.
  init(_ descriptor: Int32, isOwned: Bool) {
    self.descriptor = descriptor
    self.isOwned = isOwned
  }

  /// The terminal, or nil where the command has none.
  static func find() -> Terminal? {
    if isatty(STDIN_FILENO) == 1 { return Terminal(STDIN_FILENO, isOwned: false) }
    guard isatty(STDERR_FILENO) == 1, carriesData(STDIN_FILENO) else { return nil }
    let number = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
    return number >= 0 ? Terminal(number, isOwned: true) : nil
  }

  private static func carriesData(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFCHR
  }

  /// Whether this command is the one that the terminal's keys go to (A6): not one that runs behind
  /// a shell's `&`. A terminal that is not this session's has no background.
  var isInForeground: Bool {
    let group = tcgetpgrp(descriptor)
    return group < 0 || group == getpgrp()
  }

  /// The next key, which is there: one byte, or an escape byte with what came at once behind it.
  /// Further keys stay where they are, for the next question.
  /// - Returns: nil at the end of the terminal.
  func read() -> TypedBytes? {
    var bytes = SecretBytes(count: 16)
    guard let first = read(1, into: &bytes, at: 0) else { return nil }
    guard first == 1, bytes.bytes[0] == Key.escapeByte, hasMore else {
      return TypedBytes(bytes: bytes, count: first)
    }
    let rest = read(bytes.count - 1, into: &bytes, at: 1) ?? 0
    return TypedBytes(bytes: bytes, count: 1 + rest)
  }

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

  deinit { if isOwned { close(descriptor) } }
}

/// What was typed, as it came; it may be part of a passcode.
struct TypedBytes: ~Copyable {
  /// The first `count` count.
  let bytes: SecretBytes
  let count: Int
}
