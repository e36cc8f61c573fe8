import CoreClient
import Protocol
import WindowContents

/// Who asks, as the person is told: the name that the application gives itself, and below it what
/// the core knows of it, which it cannot choose so freely.
struct Asker {
  let title: String
  /// Nil where it would say the same once more.
  let origin: String?

  init(_ prompt: AgentPrompt) {
    let known = prompt.application
    let file = known.split(separator: "/").last.map(String.init) ?? ""
    let claimed = prompt.claimedName.flatMap { $0.isEmpty ? nil : $0 }
    let name = claimed ?? (file.isEmpty ? localized("An unknown program") : file)
    title = localized(PromptTexts.asks(name))
    if known.isEmpty {
      origin = claimed == nil ? nil : localized("An unknown program")
    } else {
      origin = known == name ? nil : known.withoutSteering
    }
  }
}
