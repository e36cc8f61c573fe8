import Glibc
import Wire

extension Invocation {
  /// The secret of an item: typed where standard input is a terminal, else all of standard input.
  func itemSecret() throws(Failure) -> SecretBytes {
    try SecretSource.checkDistinct([given?.source, .standardInput].compactMap { $0 })
    if isatty(STDIN_FILENO) == 1, let terminal {
      return try terminal.askSecret("Secret: ", output, interrupts)
    }
    return try SecretSource.standardInput.read(
      limit: largestItemSecret, interrupts: interrupts)
  }
}
