import LinuxSystem
package import Protocol

/// What the owner is told when a request of an application asks for a proof.
package struct Prompting: Sendable {
  /// What the owner permits; nil if the core's description is enough.
  package var reason: String?
  /// Nil for the usual one; empty for no fallback button (`localizedFallbackTitle`).
  package var fallbackTitle: String?
  /// Nil for the usual one.
  package var cancelTitle: String?
  /// The application's name for itself, or nil for the name of its file. It is only shown: whose
  /// items are reached depends on the kernel's name (K2).
  package var applicationName: String?
  package var timeout: Duration
  /// Whether the owner may be asked. Else requests that need a proof fail with
  /// `errSecInteractionNotAllowed`, and evaluations with `notInteractive`.
  package var isAllowed: Bool
  /// Whether the owner is first asked to unlock a locked device. Else a locked device answers with
  /// what is open.
  package var unlocks: Bool
  /// Whether a daemon may write on the terminal of its caller that a touch is awaited.
  package var writesToCaller: Bool

  package init(
    reason: String? = nil, fallbackTitle: String? = nil, cancelTitle: String? = nil,
    applicationName: String? = nil, timeout: Duration = .seconds(30), isAllowed: Bool = true,
    unlocks: Bool = false, writesToCaller: Bool = false
  ) {
    self.reason = reason
    self.fallbackTitle = fallbackTitle
    self.cancelTitle = cancelTitle
    self.applicationName = applicationName
    self.timeout = timeout
    self.isAllowed = isAllowed
    self.unlocks = unlocks
    self.writesToCaller = writesToCaller
  }

  package static let forbidden = Prompting(isAllowed: false)
}

/// How this process can prompt at this moment, and by which agent.
struct PromptSituation {
  let agent: TerminalAgent
  private let situation: TerminalSituation
  private let applicationName: String
  private let isDaemon: Bool

  /// Looks at the terminal of the process, if the settings allow it. A daemon that cannot read keys
  /// there may write on that of its caller, where it never reads: other programs do.
  /// - Parameters:
  ///   - settings: those of the client.
  ///   - prompting: how the owner is asked.
  ///   - caller: the process that the client acts for; nil for none.
  ///   - cancellation: ends the request.
  /// - Throws: `coreFailed` if the process may open no more descriptors.
  init(
    _ settings: ApplicationSettings, _ prompting: Prompting, _ caller: NamedCaller?,
    _ cancellation: CancellationSignal?
  ) throws(Failure) {
    applicationName = prompting.applicationName ?? settings.applicationName
    isDaemon = settings.isDaemon
    var terminal = settings.asksOnTerminal ? Terminal.controlling() : nil
    terminal?.isOfDaemon = settings.isDaemon
    var situation = TerminalSituation(
      of: terminal, startedBy: settings.isDaemon ? nil : caller?.identifier
    ).beside(readersOf: terminal)
    if settings.isDaemon, let caller, !situation.takesKeys {
      let isRemote = situation.isRemote || caller.isRemote
      let others = prompting.writesToCaller ? caller.terminal : nil
      situation = TerminalSituation(
        others != nil ? .shared : terminal == nil ? .noTerminal : .background, isRemote: isRemote)
      terminal = others
    }
    self.situation = situation
    agent = try TerminalAgent(of: terminal, situation, cancelledBy: cancellation)
  }

  /// Says why a person who is there was not asked.
  func explained(_ failure: Failure) -> Failure {
    guard failure.code == .notInteractive, situation.place == .shared, !isDaemon else {
      return failure
    }
    return .terminalIsShared
  }

  /// The options of a request.
  func options(_ prompting: Prompting) -> PromptOptions {
    let milliseconds = prompting.timeout / .milliseconds(1)
    let touch = prompting.isAllowed ? situation.awaitedTouch() : .none
    return PromptOptions(
      reason: prompting.reason ?? "", fallbackTitle: prompting.fallbackTitle,
      cancelTitle: prompting.cancelTitle,
      timeoutMilliseconds: UInt32(
        max(1, min(milliseconds, Double(PromptOptions.longestTimeoutMilliseconds)))),
      mayPrompt: touch != .none, touch: touch,
      canGivePasscode: prompting.isAllowed && situation.takesKeys, prefersPasscode: false,
      mayUseAgent: prompting.isAllowed && situation.mayUseAgent,
      applicationName: applicationName)
  }
}

/// Lets one thread of the process prompt at a time, because a person answers one question after
/// another.
final class PromptTurn: Sendable {
  private let isTaken = Guarded(false)

  /// Waits until no other thread prompts.
  /// - Throws: `appCancel` if it is cancelled meanwhile.
  func take<Reply: ~Copyable>(
    _ cancellation: CancellationSignal?, _ body: () throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    let isMine: Bool = isTaken.wait { isTaken in
      if cancellation?.isCancelled == true { return false }
      guard !isTaken else { return nil }
      isTaken = true
      return true
    }
    guard isMine else { throw .requestCancelled }
    defer { isTaken.update { $0 = false } }
    return try body()
  }

  /// Cancels a request that may be waiting for its turn.
  func cancel(_ cancellation: CancellationSignal) {
    cancellation.cancel()
    isTaken.update { _ in }
  }
}

/// Tells another thread to cancel its request. Any thread.
package final class CancellationSignal: Sendable {
  private struct State {
    var isCancelled = false
    /// Woken by the cancellation and never read; made for a thread that waits on descriptors.
    var pipe: WakePipe?
  }

  private let state = Guarded(State())

  package init() {}

  /// Whether ``cancel()`` was called.
  package var isCancelled: Bool { state.read { $0.isCancelled } }

  /// Cancels the request. Never blocks.
  package func cancel() {
    state.update { state in
      guard !state.isCancelled else { return }
      state.isCancelled = true
      state.pipe?.wake()
    }
  }

  /// A descriptor for poll(2) that becomes readable with the cancellation and lives as long as this
  /// value.
  /// - Throws: `coreFailed` if the process may open no more descriptors.
  package func descriptor() throws(Failure) -> Int32 {
    if let pipe = state.read({ $0.pipe }) { return pipe.descriptor }
    let made = try WakePipe()
    return state.update { state in
      let pipe = state.pipe ?? made
      state.pipe = pipe
      if state.isCancelled { pipe.wake() }
      return pipe.descriptor
    }
  }
}
