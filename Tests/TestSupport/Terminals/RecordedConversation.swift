import CoreClient
package import Protocol

/// Remembers what an agent answered.
package final class RecordedConversation: PromptConversation {
  /// The number of the prompt, the kind, and what was typed, in order.
  package private(set) var answers: [String] = []
  /// Whether the request was cancelled.
  package private(set) var wasCancelled = false

  /// Nothing has been said.
  package init() {}

  package func answer(_ answer: borrowing PromptAnswer) throws(Failure) {
    var passcode = ""
    for index in 0..<answer.passcode.count {
      passcode.unicodeScalars.append(Unicode.Scalar(answer.passcode.bytes[index]))
    }
    let text = String(decoding: passcode.unicodeScalars.map { UInt8($0.value) }, as: UTF8.self)
    answers.append("\(answer.prompt) \(answer.kind)" + (text.isEmpty ? "" : " \(text)"))
  }

  package func cancelRequest() throws(Failure) { wasCancelled = true }
}
