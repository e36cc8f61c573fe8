package import Protocol

/// A text for a person: the English words, which are also its key in the catalogs of gettext
/// (`po/`).
///
/// Each `%s` stands for one value, in order; `%1$s`, `%2$s` if a language orders them otherwise.
/// Terminals show ``english``, windows the translation.
package struct Phrase: Equatable, Sendable {
  /// The words, which are the key in the catalogs.
  package let key: String
  /// The words for several things, and how many there are; nil if nothing is counted.
  package let plural: (key: String, count: Int)?
  /// The values of the `%s`. A count comes first.
  package let values: [String]

  package init(_ key: String, _ values: String...) { self.init(key: key, values: values) }

  package init(key: String, values: [String]) {
    self.key = key
    plural = nil
    self.values = values
  }

  /// A text about one or several things. The number is the first value.
  package init(_ one: String, _ several: String, count: Int, values: [String] = []) {
    key = one
    plural = (several, count)
    self.values = ["\(count)"] + values
  }

  package var english: String {
    guard let plural, plural.count != 1 else { return filled(key) }
    return filled(plural.key)
  }

  /// Inserts the values into the words of some language. Unused values are left out.
  package func filled(_ words: String) -> String {
    var result = ""
    var next = 0
    var rest = words[...]
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[rest.index(after: percent)...]
      if rest.hasPrefix("s") {
        result += next < values.count ? values[next] : ""
        next += 1
        rest = rest.dropFirst()
      } else if let digit = rest.first?.wholeNumberValue, rest.dropFirst().hasPrefix("$s") {
        result += values.indices.contains(digit - 1) ? values[digit - 1] : ""
        rest = rest.dropFirst(3)
      } else {
        result += "%"
        if rest.hasPrefix("%") { rest = rest.dropFirst() }
      }
    }
    return result + rest
  }

  package static func == (left: Phrase, right: Phrase) -> Bool {
    left.key == right.key && left.values == right.values
  }
}

package enum PromptTexts {
  package static let touch = Phrase("Touch the reader.")
  /// A touch is awaited, and the passcode also counts.
  package static let touchOrType = Phrase("Touch the reader, or type the passcode.")
  package static let checking = Phrase("Checking…")
  package static let tooLong = Phrase("That is longer than any passcode.")

  /// The headline: a sentence that says who asks for what. None of its words come from the program
  /// that asks, except a name that is marked as claimed; nothing in it steers the display.
  /// - Parameters:
  ///   - prompt: as the core sent it.
  ///   - words: translates a phrase.
  /// - Returns: the sentence.
  package static func headline(
    of prompt: Prompt, in words: (Phrase) -> String = { $0.english }
  ) -> String {
    words(matter(of: prompt, by: asker(of: prompt, in: words)))
  }

  /// The lines below the headline: what else a proof does, and what the program says.
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

  /// Who asks. A name stands alone only if the core established it: the command and what else lies
  /// beside the core, and a name that no other program can get. Any other is marked as claimed,
  /// with the core's name for that program: its path, or `authcore` if the command acts for it.
  private static func asker(of prompt: Prompt, in words: (Phrase) -> String) -> String {
    let name = prompt.application
    let file = name.split(separator: "/").last.map(String.init) ?? ""
    let claimed = prompt.claimedName.flatMap { $0.isEmpty || $0 == name ? nil : $0 }
    if prompt.nameProtects || (name == commandApplication && claimed == nil) {
      let known = quoted(shown(file))
      return prompt.door.map { words(Phrase("%s, through %s,", known, $0.title)) } ?? known
    }
    let says = (claimed ?? file).withoutQuotes.withoutSteering.shortened(to: widestClaim)
    guard !name.isEmpty else {
      return words(
        says.isEmpty
          ? Phrase("An unknown program") : Phrase("A program calling itself “%s”", says))
    }
    let place = quoted(name.withoutSteering.shortenedInside(to: widestPlace))
    if let door = prompt.door {
      return words(
        Phrase("A program calling itself “%s” (%s), through %s,", says, place, door.title))
    }
    return words(Phrase("A program calling itself “%s” (%s)", says, place))
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

  /// The most columns of a name: a longer one must not push the rest out of sight.
  private static let widestName = 60
  private static let widestClaim = 40
  private static let widestPlace = 56

  private static func shown(_ name: String) -> String {
    name.withoutSteering.shortened(to: widestName)
  }

  /// Marks a name that could be taken for words of the sentence.
  private static func quoted(_ name: String) -> String {
    let isOneWord = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
        || "-_.:/@+…".unicodeScalars.contains($0)
    }
    return isOneWord ? name : "“\(name.withoutQuotes)”"
  }

  /// The title of the input.
  package static func title(of secret: PromptedSecret) -> Phrase {
    switch secret {
    case .passcode: Phrase("Passcode")
    case .appPassword: Phrase("Application password")
    }
  }

  package static func refusal(of secret: PromptedSecret) -> Phrase {
    switch secret {
    case .passcode: Phrase("That is not the passcode.")
    case .appPassword: Phrase("That is not the application password.")
    }
  }
}

extension String {
  /// With apostrophes for all that could end a quotation, in any language.
  package var withoutQuotes: String {
    String(
      UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .initialPunctuation, .finalPunctuation: "'"
          case .openPunctuation, .closePunctuation: scalar.isASCII ? scalar : "'"
          // Ornaments that look like quotation marks.
          default: scalar == "\"" || 0x275B...0x2760 ~= scalar.value ? "'" : scalar
          }
        }))
  }

  /// Its beginning and its end, if both together are too wide: the beginning of a path says whose
  /// file it is, and nothing in front can hide the end.
  fileprivate func shortenedInside(to width: Int) -> String {
    guard self.width > width else { return self }
    let end = String(String(reversed()).clipped(to: width / 2 - 1).reversed())
    return clipped(to: width - width / 2) + "…" + end
  }
}

/// The texts about an awaited touch: what happened, and what to do next.
package enum ProgressTexts {
  package enum Tone: Sendable {
    case neutral
    case good
    /// Another touch is wanted.
    case doubtful
    case bad
  }

  /// The text about an event, or nil if there is nothing to say. If `countsTries`, a miss mentions
  /// the remaining tries.
  package static func text(_ event: Progress.Event, countsTries: Bool = true) -> Phrase? {
    switch event {
    case .awaitingTouch: nil
    case .retry(let reason): retry(reason)
    case .missed(let left):
      countsTries && left > 0
        ? Phrase("Not recognized; %s more try.", "Not recognized; %s more tries.", count: Int(left))
        : Phrase("Not recognized.")
    case .matched(let finger): Phrase("%s recognized.", finger.withoutSteering)
    case .taken(let touch):
      touch.advice.map(advice)
        ?? (touch.coverage < 1
          ? Phrase("Good. Lift the finger and touch again.") : Phrase("Good."))
    case .refused(let advice): self.advice(advice)
    case .sensorLost(let message): Phrase("The reader is gone: %s", message.withoutSteering)
    }
  }

  package static func tone(of event: Progress.Event) -> Tone {
    switch event {
    case .awaitingTouch: .neutral
    case .retry, .refused: .doubtful
    case .missed, .sensorLost: .bad
    case .matched: .good
    case .taken(let touch): touch.advice == nil ? .good : .doubtful
    }
  }

  /// A sensor's reason to ask for another touch (`AC_RETRY_…` of include/authcore/common.h).
  package static func retry(_ reason: Int32) -> Phrase {
    switch reason {
    case 2: advice(.tooDry)
    case 3: advice(.tooWet)
    case 4: Phrase("Too short: leave the finger on the reader a little longer.")
    case 5: Phrase("Too fast: swipe more slowly.")
    case 6: Phrase("Too slow: swipe a little faster.")
    case 7: Phrase("Not centered: put the finger on the middle of the reader.")
    case 8: advice(.lift)
    case 9: Phrase("Too skewed: put the finger straight.")
    default: Phrase("That touch could not be read; touch again.")
    }
  }

  private static func advice(_ advice: EnrollmentAdvice) -> Phrase {
    switch advice {
    case .noRidges: Phrase("There was no finger to see; touch again.")
    case .tooDry: Phrase("Too dry: press a little harder, or moisten the finger.")
    case .tooWet: Phrase("Too wet: dry the finger.")
    case .tooSmall: Phrase("Too little of the finger; lay it flat.")
    case .poorQuality: Phrase("Not clear enough; touch again.")
    case .moveLeft: Phrase("Move a little to the left.")
    case .moveRight: Phrase("Move a little to the right.")
    case .moveUp: Phrase("Move a little up.")
    case .moveDown: Phrase("Move a little down.")
    case .differentPart: Phrase("Touch with another part of the finger.")
    case .notTheSameFinger: Phrase("That does not look like the same finger; touch again.")
    case .lift: Phrase("Lift the finger, then touch again.")
    case .joinsNothing:
      Phrase("That joins nothing seen so far; touch nearer to where you touched before.")
    }
  }
}
