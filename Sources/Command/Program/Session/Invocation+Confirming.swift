import CoreClient
import Protocol

extension Invocation {
  /// The most names that a question shows.
  private static let longestList = 20

  /// Says what a command is about to do, and goes on if the word for it is typed.
  /// - Throws: `refusal` where there is no terminal to ask on, `userCancel` for another word.
  func confirm(
    _ warning: String, listing names: [String], typing word: String, otherwise refusal: Failure
  ) throws(Failure) {
    guard let terminal, terminal.isInForeground else { throw refusal }
    let unlisted = names.count - Self.longestList
    let lines =
      names.prefix(Self.longestList).map { "  " + $0.printable }
      + (unlisted > 0 ? ["  \(unlisted) more"] : [])
    output.note(([warning] + lines).joined(separator: "\n"))
    let answer = try terminal.ask("Type \(word) to go on: ", output, interrupts)
    guard answer == word else { throw Failure(.userCancel, "Nothing was changed") }
  }
}
