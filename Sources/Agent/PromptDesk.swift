import ClientProtocol
import CoreConnections
import PromptWindows
import WindowContents
import Windows
import Wire

/// Shows one prompt at a time, as the core sends them, and takes it away when it is over.
@MainActor
final class PromptDesk {
  private struct Shown {
    let window: PromptWindow
    let secret: PromptedSecret
  }

  private let application: Application
  private var shown: Shown?

  /// How long it is seen that no further try is left.
  private static let refusalSeen = Duration.milliseconds(1_500)

  init(of application: Application) { self.application = application }

  /// Takes what a core says, in the order it is said; nil: it is gone.
  func take(_ event: AgentConnection.Event?, from connection: AgentConnection) {
    switch event {
    case .prompt(let prompt): show(prompt, for: connection)
    case .progress(let progress): shown?.window.tell(progress)
    case .ended(let end): close(after: end.outcome)
    case nil: close(after: .withdrawn)
    }
  }

  private func show(_ prompt: AgentPrompt, for connection: AgentConnection) {
    if let shown, shown.secret == prompt.secret { return shown.window.show(prompt.content) }
    shown?.window.end()
    let asker = Asker(prompt)
    let window = PromptWindow(
      of: application, over: nil, title: localized("Authentication"), asker: asker.title,
      origin: asker.origin, asking: prompt.secret
    ) { connection.answer($0) }
    shown = Shown(window: window, secret: prompt.secret)
    window.show(prompt.content)
  }

  private func close(after outcome: AgentPromptEnded.Outcome) {
    guard let window = shown.take()?.window else { return }
    switch outcome {
    case .refused: MainLoop.after(Self.refusalSeen) { window.end() }
    case .proved, .withdrawn: window.end()
    }
  }
}
