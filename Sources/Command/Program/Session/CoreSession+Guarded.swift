import CoreClient
import Protocol

extension CoreSession {
  /// The items and keys of all applications that have an access control.
  func guarded() throws(Failure) -> FoundGuarded { try ask(FindGuarded()) }

  /// Says what a change of the fingers closes for good, and asks whether to go on.
  /// - Throws: `usage` if something is closed and there is no terminal to ask on.
  func confirmChangeOfFingers(_ word: String, _ invocation: Invocation) throws(Failure) {
    let closing = try guarded().closedByChange
    guard !closing.isEmpty else { return }
    let count = GuardedText.count(closing)
    let others = closing.unnamed > 0 ? ["\(closing.unnamed) of other programs, or locked"] : []
    try invocation.confirm(
      "This closes \(count) for good, which biometry-current ties to today's fingers:",
      listing: closing.map(GuardedText.name).filter { !$0.isEmpty } + others, typing: word,
      otherwise: Failure(
        .usage, "This closes \(count) for good: \(GuardedText.names(closing))",
        hint: """
          Add --yes to do it without asking. To keep an item, first guard it with something else: \
          authcore item update NAME --set-access presence
          """))
  }

  /// Explains a reader that matches on the chip, and asks what its fingers may do.
  /// - Parameters:
  ///   - opensItems: whether the finger may open what asks for one, if that is not asked.
  ///   - acceptsAll: whether nothing is asked.
  ///   - invocation: whose terminal is asked on.
  /// - Returns: what the owner agrees to.
  /// - Throws: `usage` if the reader can be unplugged and there is no terminal to ask on.
  func consent(
    opensItems: Bool, acceptsAll: Bool, _ invocation: Invocation
  ) throws(Failure) -> ChipConsent {
    guard let sensor = try status().sensor, sensor.compares != .image else { return ChipConsent() }
    var consent = ChipConsent(opensItems: opensItems, acceptsPlug: acceptsAll)
    guard !acceptsAll else { return consent }
    let warning = """
      This reader compares prints itself, and the computer has to believe what it says. A person who \
      had the reader for a minute can build a device that says the same.
      """
    if !sensor.isBuiltIn {
      try invocation.confirm(
        warning + " It can be unplugged, so that such a device can take its place.",
        typing: "enroll",
        otherwise: Failure(
          .usage, "This reader matches on the chip and can be unplugged",
          hint: "add --yes to enroll a finger on it all the same"))
      consent.acceptsPlug = true
    } else {
      invocation.output.note(warning)
    }
    guard !opensItems, let terminal = invocation.terminal, terminal.isInForeground else {
      return consent
    }
    let answer = try terminal.ask(
      "May this finger open items and keys that ask for a finger? Type yes, or press Enter: ",
      invocation.output, invocation.interrupts)
    consent.opensItems = answer == "yes"
    return consent
  }
}

enum GuardedText {
  /// `2 items and 1 key`.
  static func count(_ entries: [GuardedEntry]) -> String {
    let keys = entries.count { $0.isKey }
    let items = entries.count - keys
    let parts = [
      items > 0 ? ItemText.count(items) : nil,
      keys > 0 ? ItemText.count(keys, "key") : nil,
    ]
    return parts.compactMap(\.self).joined(separator: " and ")
  }

  /// Its name; empty if it is not told.
  static func name(_ entry: GuardedEntry) -> String {
    guard !entry.name.isEmpty else { return "" }
    return (entry.isKey ? "key " : "") + entry.name.printable
  }

  /// The names of items in a sentence. Only the first of many are listed.
  static func names(_ entries: [GuardedEntry]) -> String {
    let longestList = 8
    let named = entries.map(name).filter { !$0.isEmpty }
    let unlisted = named.count - longestList
    var parts = Array(named.prefix(longestList))
    if unlisted > 0 { parts.append("\(unlisted) more") }
    if entries.unnamed > 0 { parts.append("\(entries.unnamed) of other programs") }
    return parts.joined(separator: ", ")
  }
}

/// The items and keys that nothing opens any more, because the fingers have changed. Asked for when
/// first needed.
final class LostEntries {
  private let session: CoreSession
  private var known: Set<String>?

  init(_ session: CoreSession) { self.session = session }

  /// Whether the item or key with this identifier is lost.
  func contains(_ identifier: String, _ control: AccessControl?) throws(Failure) -> Bool {
    guard control?.requiresCurrentSet == true else { return false }
    if let known { return known.contains(identifier) }
    let lost = Set(try session.guarded().entries.filter(\.isLost).map(\.identifier))
    known = lost
    return lost.contains(identifier)
  }
}

extension Invocation {
  private static let longestList = 20

  /// Says what a command is about to do, and goes on if the person types `word`.
  /// Without a terminal to ask on it throws `refusal`, or goes on if that is nil.
  /// - Throws: `userCancel` for another word.
  func confirm(
    _ warning: String, listing names: [String] = [], typing word: String,
    otherwise refusal: Failure?
  ) throws(Failure) {
    guard let terminal, terminal.isInForeground else {
      if let refusal { throw refusal }
      return
    }
    let unlisted = names.count - Self.longestList
    let lines =
      names.prefix(Self.longestList).map { "  " + $0.printable }
      + (unlisted > 0 ? ["  \(unlisted) more"] : [])
    output.note(([warning] + lines).joined(separator: "\n"))
    let answer = try terminal.ask("Type \(word) to go on: ", output, interrupts)
    guard answer == word else { throw Failure(.userCancel, "Nothing was changed") }
  }
}
