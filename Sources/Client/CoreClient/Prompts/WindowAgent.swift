import LinuxSystem
package import Protocol

/// Shows the prompts of a request, on the main thread.
@MainActor
package protocol PromptPresenter: AnyObject, Sendable {
  /// A prompt appears; the answers go to `answers`.
  func show(_ prompt: Prompt, answers: PromptAnswers)
  func tell(_ event: Progress.Event)
  /// The request is over.
  func end()
}

/// A person's answers on the main thread, for the thread of the request. Any thread.
package final class PromptAnswers: Sendable {
  /// Boxes an answer, which cannot be copied.
  fileprivate final class Answer: Sendable {
    let answer: PromptAnswer
    init(_ answer: consuming PromptAnswer) { self.answer = answer }
  }

  fileprivate enum Word: Sendable {
    case answer(Answer)
    case cancel
  }

  private let said = Guarded<[Word]>([])
  private let pipe: WakePipe

  fileprivate init() throws(Failure) { pipe = try WakePipe() }

  /// Answers a prompt.
  package func give(_ answer: consuming PromptAnswer) {
    let boxed = Answer(answer)
    said.update { $0.append(.answer(boxed)) }
    pipe.wake()
  }

  package func cancel() {
    said.update { $0.append(.cancel) }
    pipe.wake()
  }

  /// Readable while there may be an answer.
  fileprivate var descriptor: Int32 { pipe.descriptor }

  /// The oldest answer that was not taken yet.
  fileprivate func next() -> Word? {
    pipe.wait(until: Deadline(milliseconds: 0), on: said) { $0.isEmpty ? nil : $0.removeFirst() }
  }
}

/// Asks in a window: passes prompts to the main thread, and its answers to the core.
package final class WindowAgent: PromptAgent {
  /// Runs a function on the main thread, after its present work. Any thread.
  package typealias OnMainThread = @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void

  private let presenter: any PromptPresenter
  private let onMainThread: OnMainThread
  private let answers: PromptAnswers

  private static let touchTimeout: UInt32 = 60_000

  /// - Throws: `coreFailed` if the process may open no more descriptors.
  package init(
    _ presenter: any PromptPresenter, on mainThread: @escaping OnMainThread
  ) throws(Failure) {
    self.presenter = presenter
    onMainThread = mainThread
    answers = try PromptAnswers()
  }

  /// The options for requests of this window.
  package static func options(reason: String) -> PromptOptions {
    PromptOptions(
      reason: reason, fallbackTitle: nil, cancelTitle: nil, timeoutMilliseconds: touchTimeout,
      mayPrompt: true, touch: .person, canGivePasscode: true, prefersPasscode: false,
      mayUseAgent: false)
  }

  package func show(_ prompt: Prompt, in conversation: any PromptConversation) throws(Failure) {
    let (presenter, answers) = (presenter, answers)
    onMainThread { presenter.show(prompt, answers: answers) }
  }

  package func tell(_ progress: Progress.Event) {
    let presenter = presenter
    onMainThread { presenter.tell(progress) }
  }

  package var watchedDescriptors: [Int32] { [answers.descriptor] }

  package func descriptorIsReady(
    _ number: Int32, in conversation: any PromptConversation
  ) throws(Failure) {
    while let word = answers.next() {
      switch word {
      case .answer(let boxed): try conversation.answer(boxed.answer)
      case .cancel: try conversation.cancelRequest()
      }
    }
  }

  package func requestEnded() {
    let presenter = presenter
    onMainThread { presenter.end() }
  }
}
