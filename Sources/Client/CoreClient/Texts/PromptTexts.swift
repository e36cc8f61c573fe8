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

  /// What a prompt is about, in a sentence that names who asks. No word of it comes from who asks, but
  /// for a name that is said to be claimed; nothing in it steers what shows it.
  /// - Parameters:
  ///   - prompt: as the core sent it.
  ///   - words: finds the words of a phrase in the person's language.
  /// - Returns: the sentence.
  package static func headline(
    of prompt: Prompt, in words: (Phrase) -> String = { $0.english }
  ) -> String {
    words(matter(of: prompt, by: asker(of: prompt, in: words)))
  }

  /// What has to be said below the headline: what a proof does beside, and what the program says.
  package static func remarks(
    on prompt: Prompt, in words: (Phrase) -> String = { $0.english }
  ) -> [String] {
    var remarks: [String] = []
    if prompt.unlocks { remarks.append(words(Phrase("Your keychain is locked: this unlocks it."))) }
    if !prompt.reason.isEmpty {
      remarks.append(words(Phrase("It says: “%s”", prompt.reason.withoutSteering)))
    }
    return remarks
  }

  /// Who asks: the core's name for it where no other program gets that, else one that it claims. The
  /// parts of the command that act for other programs say how those are called.
  private static func asker(of prompt: Prompt, in words: (Phrase) -> String) -> String {
    let claimed = prompt.claimedName.flatMap { $0.isEmpty ? nil : $0 }.map(shown)
    if prompt.application == commandApplication { return claimed ?? commandApplication }
    let file = shown(prompt.application.split(separator: "/").last.map(String.init) ?? "")
    if prompt.nameProtects { return file }
    guard let name = claimed ?? (file.isEmpty ? nil : file) else {
      return words(Phrase("An unknown program"))
    }
    return words(Phrase("A program calling itself “%s”", name))
  }

  private static func matter(of prompt: Prompt, by asker: String) -> Phrase {
    let item = prompt.item.flatMap { $0.hasVisibleCharacters ? quoted(shown($0)) : nil }
    return switch (prompt.matter, item) {
    case (.presence, _): Phrase("%s wants you to confirm that it is you.", asker)
    case (.unlocking, _): Phrase("%s wants to unlock your keychain.", asker)
    case (.secret, let item?): Phrase("%s wants the password for %s.", asker, item)
    case (.secret, nil): Phrase("%s wants a password from your keychain.", asker)
    case (.change, let item?): Phrase("%s wants to change %s in your keychain.", asker, item)
    case (.key, let item?): Phrase("%s wants to use the key %s.", asker, item)
    case (.access, _), (.change, nil), (.key, nil): Phrase("%s wants to use your keychain.", asker)
    case (.backup, _): Phrase("%s wants to back up your keychain.", asker)
    case (.application, _): Phrase("%s wants to go through what an application keeps.", asker)
    case (.passcode, _): Phrase("%s wants to change your passcode.", asker)
    case (.fingers, _): Phrase("%s wants to change your fingers.", asker)
    case (.trial, _): Phrase("%s wants to see whether it knows your finger.", asker)
    case (.rootKey, _): Phrase("%s wants to move the root key.", asker)
    case (.settings, _): Phrase("%s wants to change the settings.", asker)
    }
  }

  /// Columns of a name. Whoever chose a longer one must not push the rest out of sight.
  private static let widestName = 60

  private static func shown(_ name: String) -> String {
    name.withoutSteering.shortened(to: widestName)
  }

  /// A name that could be taken for words of the sentence is marked as one.
  private static func quoted(_ name: String) -> String {
    let isOneWord = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
        || "-_.:/@+".unicodeScalars.contains($0)
    }
    return isOneWord ? name : "“\(name)”"
  }

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
