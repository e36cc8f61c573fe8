import ArgumentParser
import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// How a secret is put on the clipboard, and for how long.
struct ClipboardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("How long it stays on the clipboard. 0: not at all.", valueName: "seconds"))
  var clearAfter = 45

  @Flag(help: "Use the terminal's clipboard, not the desktop's.")
  var osc52 = false

  private static let longestTime = 86_400

  /// Finds the clipboard, before the owner is asked for a secret that could not be put anywhere.
  func clipboard() throws(Failure) -> any Clipboard {
    guard (0...Self.longestTime).contains(clearAfter) else {
      throw .usage("--clear-after is between 0 and \(Self.longestTime) seconds")
    }
    return try FoundClipboard.find({ EnvironmentVariable.value(of: $0) }, usesTerminal: osc52)
  }

  /// Puts a secret there, waits, and takes it back.
  func keep(
    _ secret: borrowing SecretBytes, named name: String, on clipboard: any Clipboard,
    _ invocation: Invocation
  ) throws(Failure) {
    let mark = try ClipboardMark(secret)
    // From here on a signal must not leave the secret there.
    try invocation.interrupts.listening { () throws(Failure) in
      try clipboard.set(secret)
      let isInterrupted = wait(name, invocation)
      try end(tookBack: try clipboard.takeBack(mark), name, isInterrupted, invocation)
    }
  }

  /// Waits until the time is over or a signal comes.
  /// - Returns: whether a signal came.
  private func wait(_ name: String, _ invocation: Invocation) -> Bool {
    let interrupts = invocation.interrupts
    if !invocation.output.isLive {
      invocation.output.note("\(name) is on the clipboard for \(clearAfter) s.")
    }
    let end = ContinuousClock.now + .seconds(clearAfter)
    while true {
      let left = end - ContinuousClock.now
      guard left > .zero else { return false }
      let seconds = Int(left.components.seconds) + 1
      invocation.output.live(
        "\(name) is on the clipboard for \(seconds) s more. Ctrl-C removes it.")
      var polled = pollfd(fd: interrupts.descriptor, events: Int16(POLLIN), revents: 0)
      let step = min(1000, Int32(left / .milliseconds(1)) + 1)
      guard unsafe poll(&polled, 1, step) > 0 else { continue }
      switch interrupts.takeSignal() {
      case .end: return true
      // A stopped command could not take it back.
      case .suspend: return false
      case .resize, nil: continue
      }
    }
  }

  private func end(
    tookBack: Bool, _ name: String, _ isInterrupted: Bool, _ invocation: Invocation
  ) throws(Failure) {
    invocation.output.clearLive()
    let sentence =
      tookBack
      ? "\(name) was removed from the clipboard."
      : "The clipboard holds something else, which stays."
    guard !isInterrupted else {
      invocation.output.note(sentence)
      throw Interrupts.interrupted
    }
    invocation.output.result(.object(["cleared": .bool(tookBack)]), [sentence])
  }
}
