import Glibc
package import Protocol

/// The terminal that controls this process's session: where the person is who runs it, whatever
/// standard input, output and error are (as with ssh and sudo). One thread at a time.
package final class Terminal {
  /// For reading keys and writing prompts.
  package let descriptor: Int32

  /// A terminal that was found otherwise; it is closed with the value.
  package init(owning descriptor: Int32) { self.descriptor = descriptor }

  /// The controlling terminal; nil where there is none: cron, CI, `setsid`.
  package static func controlling() -> Terminal? {
    // tty(4): opening fails with ENXIO for a process without one.
    let number = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    return number >= 0 ? Terminal(owning: number) : nil
  }

  /// Whether this process is one that the terminal's keys go to (A6): not one that runs behind
  /// a shell's `&`.
  package var isInForeground: Bool { tcgetpgrp(descriptor) == getpgrp() }

  /// Whether its window was closed, or its line has ended.
  package var isGone: Bool {
    var polled = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&polled, 1, 0) == 1 && polled.revents & Int16(POLLHUP) != 0
  }

  /// The next key, which is there: one byte, or the bytes of a function key that came at once.
  /// Further keys stay where they are, for the next question.
  /// - Returns: nil at the end of the terminal.
  package func read() -> TypedBytes? {
    var bytes = SecretBytes(count: 16)
    guard var count = read(1, into: &bytes, at: 0) else { return nil }
    // Byte by byte: what follows a function key, as a paste follows its beginning, is text.
    while count < bytes.count, Key.isUnfinished(bytes.bytes.extracting(first: count)), hasMore,
      let more = read(1, into: &bytes, at: count), more > 0
    {
      count += more
    }
    return TypedBytes(bytes: bytes, count: count)
  }

  /// Forgets what was typed and not read yet: it was meant for something else than what comes.
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

/// What was typed, as it came; it may be part of a passcode.
package struct TypedBytes: ~Copyable {
  /// The first `count` count.
  package let bytes: SecretBytes
  /// At least one, unless reading was interrupted.
  package let count: Int
}
