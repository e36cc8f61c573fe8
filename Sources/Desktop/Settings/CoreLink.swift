import CoreClient
import LinuxSystem
import Protocol
import Windows

/// Sends requests to the core, one at a time, on a thread of its own.
final class CoreLink: Sendable {
  private typealias Work = @Sendable (ApplicationClient) -> Void

  private let waiting = Guarded<[Work]>([])

  init(_ settings: ApplicationSettings) {
    let waiting = waiting
    SystemThread.start(name: "core's link") {
      let client = ApplicationClient(settings)
      while true {
        let work: Work = waiting.wait { $0.isEmpty ? nil : $0.removeFirst() }
        work(client)
      }
    }
  }

  /// Carries out requests without prompts, then `body` on the main thread.
  func carryOut<Reply: Sendable>(
    _ requests: @escaping @Sendable (CoreConnection) throws(Failure) -> Reply,
    then body: @escaping @MainActor @Sendable (Result<Reply, Failure>) -> Void
  ) {
    enqueue({ (client) throws(Failure) in try client.carryOut(requests) }, then: body)
  }

  /// Carries out a request whose prompts `prompts` shows.
  func carryOut<Reply: Sendable>(
    asking prompts: any PromptPresenter, reason: String,
    _ request:
      @escaping @Sendable (CoreConnection, PromptOptions, WindowAgent) throws(Failure) -> Reply,
    then body: @escaping @MainActor @Sendable (Result<Reply, Failure>) -> Void
  ) {
    enqueue(
      { (client) throws(Failure) in
        let agent = try WindowAgent(prompts, on: { MainLoop.perform($0) })
        return try client.prompt(by: agent) { (connection) throws(Failure) in
          try request(connection, WindowAgent.options(reason: reason), agent)
        }
      }, then: body)
  }

  private func enqueue<Reply: Sendable>(
    _ work: @escaping @Sendable (ApplicationClient) throws(Failure) -> Reply,
    then body: @escaping @MainActor @Sendable (Result<Reply, Failure>) -> Void
  ) {
    waiting.update { queue in
      queue.append { client in
        let result: Result<Reply, Failure>
        do throws(Failure) { result = .success(try work(client)) } catch {
          result = .failure(error)
        }
        MainLoop.perform { body(result) }
      }
    }
  }
}

extension ApplicationSettings {
  /// This program asks in its window, and never on a terminal.
  static func ofEnvironment() -> ApplicationSettings {
    ApplicationSettings(
      environment: .current(), applicationName: commandApplication, takesAnyRelease: false)
  }
}

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
        of: application, over: parent, title: title, isOwn: true, asking: prompt.secret
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
