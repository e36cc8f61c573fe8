package import Protocol

/// What a prompt says, on a terminal and in a window.
package enum PromptTexts {
  /// A touch is awaited.
  package static let touch = Phrase("Touch the reader.")
  /// A touch is awaited, and the passcode will do.
  package static let touchOrType = Phrase("Touch the reader, or type the passcode.")
  /// What was typed is on its way.
  package static let checking = Phrase("Checking…")
  /// More was typed than any passcode has.
  package static let tooLong = Phrase("That is longer than any passcode.")

  /// Who asks. Nothing in the name steers what shows it.
  package static func asks(_ name: String) -> Phrase { Phrase("“%s” asks", name.withoutSteering) }

  /// What is typed, in front of it.
  package static func title(of secret: PromptedSecret) -> Phrase {
    switch secret {
    case .passcode: Phrase("Passcode")
    case .appPassword: Phrase("Application password")
    }
  }

  /// What was typed before was wrong.
  package static func refusal(of secret: PromptedSecret) -> Phrase {
    switch secret {
    case .passcode: Phrase("That is not the passcode.")
    case .appPassword: Phrase("That is not the application password.")
    }
  }
}
