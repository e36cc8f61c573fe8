import Glibc
import Wire

extension Invocation {
  /// The secret of an item: typed where standard input is a terminal, else all of standard input.
  /// - Parameter others: what else is read, which cannot be standard input too.
  /// - Returns: its bytes.
  /// - Throws: `usage` for two secrets from one place, and what could not be read.
  func itemSecret(beside others: [GivenPasscode?] = []) throws(Failure) -> SecretBytes {
    let sources = ([given] + others).compactMap { $0?.source }
    try SecretSource.checkDistinct(sources + [.standardInput])
    if isatty(STDIN_FILENO) == 1, let terminal {
      return try terminal.askSecret("Secret: ", output, interrupts)
    }
    return try SecretSource.standardInput.read(
      limit: largestItemSecret, interrupts: interrupts)
  }
}
