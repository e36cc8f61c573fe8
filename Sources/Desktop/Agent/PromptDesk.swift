import CoreClient
import Protocol
import WindowContents
import Windows

/// Shows one prompt at a time, and removes it when it is over.
@MainActor
final class PromptDesk {
  private struct Shown {
    let window: PromptWindow
    let secret: PromptedSecret
  }

  /// A prompt that came soon after that of another request.
  private struct Waiting {
    var prompt: Prompt
    let timer: MainLoop.Timer
  }

  private let application: Application
  private var shown: Shown?
  private var waiting: Waiting?
  private var pause = PromptPause()

  /// How long the last refusal is shown.
  private static let refusalSeen = Duration.milliseconds(1_500)

  init(of application: Application) { self.application = application }

  /// Takes events of a core in order; nil if it has ended.
  func take(_ event: AgentConnection.Event?, from connection: AgentConnection) {
    switch event {
    case .prompt(let prompt): begin(prompt, for: connection)
    case .progress(let progress): shown?.window.tell(progress)
    case .ended(let end): close(after: end.outcome)
    case nil: close(after: .withdrawn)
    }
  }

  private func begin(_ prompt: Prompt, for connection: AgentConnection) {
    guard waiting == nil else {
      waiting?.prompt = prompt
      return
    }
    // The core reports the end of each request's last prompt.
    guard shown == nil, let time = pause.remaining(at: .now) else {
      return show(prompt, for: connection)
    }
    let timer = MainLoop.after(time) { [weak self] in
      guard let prompt = self?.waiting.take()?.prompt else { return }
      self?.show(prompt, for: connection)
    }
    waiting = Waiting(prompt: prompt, timer: timer)
  }

  private func show(_ prompt: Prompt, for connection: AgentConnection) {
    if let shown, shown.secret == prompt.secret { return shown.window.show(prompt) }
    shown?.window.end()
    let window = PromptWindow(
      of: application, over: nil, title: localized("Authentication"), isOwn: false,
      asking: prompt.secret
    ) { connection.answer($0) }
    shown = Shown(window: window, secret: prompt.secret)
    window.show(prompt)
  }

  private func close(after outcome: AgentPromptEnded.Outcome) {
    waiting.take()?.timer.cancel()
    guard let window = shown.take()?.window else { return }
    pause.promptEnded(at: .now)
    switch outcome {
    case .refused: MainLoop.after(Self.refusalSeen) { window.end() }
    case .proved, .withdrawn: window.end()
    }
  }
}
