import CoreClient
import Protocol
import Windows

/// Shows the prompts of one request over the settings.
@MainActor
final class RequestDialog: PromptPresenter {
  private let application: Application
  private let parent: Window
  private let title: String
  private var window: PromptWindow?

  init(of application: Application, over parent: Window, title: String) {
    (self.application, self.parent, self.title) = (application, parent, title)
  }

  func show(_ prompt: Prompt, answers: PromptAnswers) {
    let window =
      self.window
      ?? PromptWindow(
        of: application, over: parent, title: title, asker: nil, asking: prompt.secret
      ) { answers.give($0) }
    self.window = window
    window.show(prompt)
  }

  func tell(_ event: Progress.Event) { window?.tell(event) }

  func end() {
    window?.end()
    window = nil
  }
}
