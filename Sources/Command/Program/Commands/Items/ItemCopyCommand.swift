import ArgumentParser
import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// `authcore item copy`
struct ItemCopyCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Put an item's secret on the clipboard, and take it back after a while.",
    discussion: """
      It stays until the time is over or Ctrl-C, and takes back what is still the same: something else \
      that was copied meanwhile stays.

          authcore item copy mail ann
          authcore item copy mail ann --clear-after 10

      wl-copy, xclip or xsel reaches the clipboard of a desktop. Over SSH, or with --osc52, the terminal \
      is asked to set its own, which cannot be looked at: it is emptied whatever it holds by then.
      """)

  @OptionGroup var selection: ItemSelection

  @Option(
    help: ArgumentHelp("How long it stays there; 0: not at all.", valueName: "seconds"))
  var clearAfter = 45

  @Flag(help: "Use the terminal's clipboard, not the desktop's.")
  var osc52 = false

  @Option(
    help: ArgumentHelp(
      "What the owner is asked to permit; default: the item's label or service.",
      valueName: "text"))
  var reason: String?

  @OptionGroup var appPassword: AppPasswordOptions

  @OptionGroup var options: GlobalOptions

  private static let longestTime = 86_400

  var unlocks: Bool { true }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let query = try selection.selectingQuery()
    guard (0...Self.longestTime).contains(clearAfter) else {
      throw Failure(.usage, "--clear-after is between 0 and \(Self.longestTime) seconds")
    }
    try GivenReason.check(reason)
    // Nobody is asked for a secret that could not be put anywhere.
    let clipboard = try Clipboard.find(
      { EnvironmentVariable.value(of: $0) }, usesTerminal: osc52)
    let given = try appPassword.given(invocation)
    let session = try invocation.openSession()
    session.use(appPassword: given)
    let item: GotItem = try session.ask(
      GetItem(query: query),
      invocation.promptOptions(reason: reason ?? ""))
    let name = ItemText.name(item.attributes)
    switch clipboard {
    case .program(let program): try keep(item.secret, named: name, on: program, invocation)
    case .terminal: try keep(item.secret, named: name, on: TerminalClipboard(), invocation)
    }
    return .done
  }

  private func keep(
    _ secret: borrowing SecretBytes, named name: String, on program: ClipboardProgram,
    _ invocation: Invocation
  ) throws(Failure) {
    let mark = try ClipboardMark(secret)
    // From here on a signal must find the secret taken back.
    try invocation.interrupts.listening { () throws(Failure) in
      try program.set(secret)
      let isInterrupted = wait(name, invocation)
      let shown = try program.show(limit: largestItemSecret)
      var isOurs = false
      switch shown {
      case .some(let shown): isOurs = try mark.isThat(of: shown)
      case .none: break
      }
      if isOurs { try program.clear() }
      try end(tookBack: isOurs, name, isInterrupted, invocation)
    }
  }

  private func keep(
    _ secret: borrowing SecretBytes, named name: String, on terminal: borrowing TerminalClipboard,
    _ invocation: Invocation
  ) throws(Failure) {
    try invocation.interrupts.listening { () throws(Failure) in
      try terminal.set(secret)
      let isInterrupted = wait(name, invocation)
      try terminal.clear()
      try end(tookBack: true, name, isInterrupted, invocation)
    }
  }

  /// Counts down.
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
        "\(name) is on the clipboard for \(seconds) s more; Ctrl-C takes it back at once")
      var polled = pollfd(fd: interrupts.descriptor, events: Int16(POLLIN), revents: 0)
      let step = min(1000, Int32(left / .milliseconds(1)) + 1)
      guard unsafe poll(&polled, 1, step) > 0 else { continue }
      switch interrupts.takeSignal() {
      case .end: return true
      // A command that is stopped could not take it back.
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
      ? "\(name) is taken off the clipboard."
      : "The clipboard holds something else by now, which stays there."
    guard !isInterrupted else {
      invocation.output.note(sentence)
      throw Interrupts.interrupted
    }
    invocation.output.result(.object(["cleared": .bool(tookBack)]), [sentence])
  }
}
