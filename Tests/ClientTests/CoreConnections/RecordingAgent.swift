import Protocol

@testable import CoreClient

/// An agent that answers as it is told and remembers what it saw.
final class RecordingAgent: PromptAgent {
  var answers: [PromptAnswer.Kind]
  var prompts: [Prompt] = []
  var events: [Progress.Event] = []
  var ends = 0
  /// Readable when the request is to be cancelled.
  var cancelDescriptor: Int32?

  init(_ answers: PromptAnswer.Kind...) { self.answers = answers }

  func show(_ prompt: Prompt, in conversation: any PromptConversation) throws(Failure) {
    prompts.append(prompt)
    guard !answers.isEmpty else { return }
    try conversation.answer(PromptAnswer(prompt: prompt.prompt, kind: answers.removeFirst()))
  }

  func tell(_ progress: Progress.Event) { events.append(progress) }

  var watchedDescriptors: [Int32] { cancelDescriptor.map { [$0] } ?? [] }

  func descriptorIsReady(
    _ number: Int32, in conversation: any PromptConversation
  ) throws(Failure) {
    cancelDescriptor = nil
    try conversation.cancelRequest()
  }

  func requestEnded() { ends += 1 }
}
