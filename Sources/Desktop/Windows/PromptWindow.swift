package import Protocol
import WindowContents

/// A window for the prompts of one request, one after the other.
@MainActor
package final class PromptWindow {
  private let window: Window
  private let pane: PromptPane
  private var isOver = false
  private var hasMatched = false

  /// How long a match is shown before the window closes.
  private static let farewell = Duration.milliseconds(700)

  /// - Parameters:
  ///   - application: the program that shows it.
  ///   - parent: the window that it belongs to, or nil.
  ///   - title: the window's title.
  ///   - isOwn: whether the program asks for itself, and the title says what for.
  ///   - secret: what is typed into it.
  ///   - answer: called with the person's answers.
  package init(
    of application: Application, over parent: Window?, title: String, isOwn: Bool,
    asking secret: PromptedSecret, answer: @escaping @MainActor (consuming PromptAnswer) -> Void
  ) {
    window = Window(of: application, title: title, over: parent)
    window.keepSize()
    pane = PromptPane(isOwn: isOwn, asking: secret)
    window.setContent(Stack(.down, [HeaderBar(showsClose: false), pane.content]))
    pane.answer = answer
    window.escape = { [weak self] in self?.pane.cancelPrompt() }
    window.mayNotClose = { [weak self] in
      guard let self, !self.isOver else { return false }
      // The request ends, which closes the window.
      self.pane.cancelPrompt()
      return true
    }
  }

  /// Shows a prompt in place of the one before.
  package func show(_ prompt: Prompt) {
    window.present()
    pane.show(prompt)
  }

  /// Shows what happened during the prompt.
  package func tell(_ event: Progress.Event) {
    if case .matched = event { hasMatched = true }
    pane.tell(event)
  }

  /// Closes the window, after a match with a delay.
  package func end() {
    guard !isOver else { return }
    isOver = true
    guard hasMatched else { return window.close() }
    MainLoop.after(Self.farewell) { [window] in window.close() }
  }
}
