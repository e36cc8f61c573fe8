import CoreConnections
import LinuxSystem
import Protocol
import Windows

/// Who shows the prompts of a request, on the main thread.
@MainActor
protocol PromptPresenter: AnyObject, Sendable {
  /// A prompt appears; the answers go to `answers`.
  func show(_ prompt: Prompt, answers: PromptAnswers)
  func tell(_ event: Progress.Event)
  /// The request is over.
  func end()
}

/// What a person answers on the main thread, for the thread of the request. Any thread.
final class PromptAnswers: Sendable {
  /// Boxes what cannot be copied.
  final class Answer: Sendable {
    let answer: PromptAnswer
    init(_ answer: consuming PromptAnswer) { self.answer = answer }
  }

  enum Word: Sendable {
    case answer(Answer)
    /// Nobody wants the request any more.
    case cancel
  }

  private let said = Guarded<[Word]>([])
  private let pipe: WakePipe

  init() throws(Failure) { pipe = try WakePipe() }

  func give(_ answer: consuming PromptAnswer) {
    let boxed = Answer(answer)
    said.update { $0.append(.answer(boxed)) }
    pipe.wake()
  }

  func cancel() {
    said.update { $0.append(.cancel) }
    pipe.wake()
  }

  /// Can be read from while there may be something.
  var descriptor: Int32 { pipe.descriptor }

  /// What was said first of what was not taken yet.
  func next() -> Word? {
    pipe.wait(until: Deadline(milliseconds: 0), on: said) { $0.isEmpty ? nil : $0.removeFirst() }
  }
}

/// The agent of a request: hands its prompts to the main thread, and the answers from there to the
/// core.
final class WindowAgent: PromptAgent {
  private let presenter: any PromptPresenter
  private let answers: PromptAnswers

  /// How long a touch is awaited.
  private static let patience: UInt32 = 60_000

  init(_ presenter: any PromptPresenter) throws(Failure) {
    self.presenter = presenter
    answers = try PromptAnswers()
  }

  /// How requests of this window may prompt.
  static func options(reason: String) -> PromptOptions {
    PromptOptions(
      reason: reason, fallbackTitle: nil, cancelTitle: nil, timeoutMilliseconds: patience,
      mayPrompt: true, touch: .person, canGivePasscode: true, prefersPasscode: false,
      mayUseAgent: false)
  }

  func show(_ prompt: Prompt, in conversation: any PromptConversation) throws(Failure) {
    let (presenter, answers) = (presenter, answers)
    MainLoop.perform { presenter.show(prompt, answers: answers) }
  }

  func tell(_ progress: Progress.Event) {
    let presenter = presenter
    MainLoop.perform { presenter.tell(progress) }
  }

  var watchedDescriptors: [Int32] { [answers.descriptor] }

  func descriptorIsReady(
    _ number: Int32, in conversation: any PromptConversation
  ) throws(Failure) {
    while let word = answers.next() {
      switch word {
      case .answer(let boxed): try conversation.answer(boxed.answer)
      case .cancel: try conversation.cancelRequest()
      }
    }
  }

  func requestEnded() {
    let presenter = presenter
    MainLoop.perform { presenter.end() }
  }
}
