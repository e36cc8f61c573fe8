import ArgumentParser
import Glibc
import Protocol

/// What is stored of an item's secret that is not typed.
struct SecretInputOptions: ParsableArguments {
  @Flag(
    help:
      "Leave out one newline at the end of the secret, which is stored to its last byte otherwise.")
  var stripNewline = false
}

extension Invocation {
  /// The secret of an item: typed twice where standard input is a terminal, else all of standard
  /// input, byte by byte.
  /// - Parameters:
  ///   - options: what becomes of a newline at the end.
  ///   - others: what else is read, which cannot be standard input too.
  /// - Returns: its bytes.
  /// - Throws: `usage` for two secrets from one place, and what could not be read.
  func itemSecret(
    _ options: SecretInputOptions, beside others: [GivenPasscode?] = []
  ) throws(Failure) -> SecretBytes {
    let sources = ([given] + others).compactMap { $0?.source }
    try SecretSource.checkDistinct(sources + [.standardInput])
    if isatty(STDIN_FILENO) == 1, let terminal {
      try settleStateFolder()
      return try terminal.askNewSecret("Secret: ", again: "The same again: ", output, interrupts)
    }
    let secret = try SecretSource.standardInput.read(
      options.stripNewline ? .leftOut : .kept, limit: largestItemSecret, interrupts: interrupts)
    if secret.count == 0 { output.note("The secret is empty: standard input held nothing.") }
    if !options.stripNewline, secret.endsWithNewline {
      output.note(
        "The secret ends with a newline, which is stored with it; --strip-newline leaves one out.")
    }
    return secret
  }
}

extension SecretBytes {
  fileprivate var endsWithNewline: Bool {
    guard count > 0 else { return false }
    return bytes[count - 1] == 0x0A
  }
}
