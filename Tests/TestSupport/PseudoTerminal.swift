package import CoreClient
import Glibc
import LinuxSystem
package import Protocol

/// A terminal with a script instead of a person.
package final class PseudoTerminal {
  /// The end a command reads from.
  package let near: Terminal
  private var far: Int32

  /// Opens one.
  package init() throws {
    var (far, near): (Int32, Int32) = (-1, -1)
    guard unsafe openpty(&far, &near, nil, nil, nil) == 0 else { throw CannotOpen() }
    self.far = far
    self.near = Terminal(owning: near)
    _ = fcntl(far, F_SETFL, O_NONBLOCK)
  }

  /// The machine has none left.
  package struct CannotOpen: Error {}

  /// What a person would do.
  package func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe write(far, bytes, bytes.count)
  }

  /// What a person does who waits to be asked: types once the terminal ends with `question`, on a
  /// thread of its own.
  package func type(_ text: String, onceAsked question: String) {
    let far = dup(far)
    SystemThread.start(name: "person") {
      _ = Self.shown(on: far, until: question)
      let bytes = Array(text.utf8)
      _ = unsafe write(far, bytes, bytes.count)
      close(far)
    }
  }

  /// Whether a key waits to be read.
  package var hasInput: Bool {
    var polled = pollfd(fd: near.descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, 0) == 1
  }

  /// What the terminal shows, and has not shown here before: the kernel hands it over a little
  /// later than it was written, so it is read until it ends with `last`.
  package func shown(until last: String) -> String { Self.shown(on: far, until: last) }

  private static func shown(on far: Int32, until last: String) -> String {
    var text = ""
    while !text.hasSuffix(last) {
      var polled = pollfd(fd: far, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&polled, 1, 120_000) == 1 else { return text }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = unsafe read(far, &bytes, bytes.count)
      guard count > 0 else { return text }
      text += String(decoding: bytes[..<count], as: UTF8.self)
    }
    return text
  }

  /// Whether the terminal echoes and edits lines.
  package var isAsBefore: Bool {
    var settings = termios()
    _ = unsafe tcgetattr(near.descriptor, &settings)
    return settings.c_lflag & tcflag_t(ECHO) != 0 && settings.c_lflag & tcflag_t(ICANON) != 0
  }

  /// Closes its window.
  package func hangUp() {
    if far >= 0 { close(far) }
    far = -1
  }

  deinit { hangUp() }
}

/// Records the answers of an agent.
package final class RecordedConversation: PromptConversation {
  /// The number of the prompt, the kind, and what was typed, in order.
  package private(set) var answers: [String] = []
  /// Whether the request was cancelled.
  package private(set) var wasCancelled = false

  /// Nothing has been said.
  package init() {}

  package func answer(_ answer: borrowing PromptAnswer) throws(Failure) {
    var passcode = ""
    for index in 0..<answer.passcode.count {
      passcode.unicodeScalars.append(Unicode.Scalar(answer.passcode.bytes[index]))
    }
    let text = String(decoding: passcode.unicodeScalars.map { UInt8($0.value) }, as: UTF8.self)
    answers.append("\(answer.prompt) \(answer.kind)" + (text.isEmpty ? "" : " \(text)"))
  }

  package func cancelRequest() throws(Failure) { wasCancelled = true }
}
