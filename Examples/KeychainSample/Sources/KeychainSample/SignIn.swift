/// Signs in with the password of the keychain, as programs do that talk to a server:
///
///     look in the keychain ── there is none ── ask ── add it
///              │
///            there is one ── the server takes it ── done
///                                    │
///                             it was changed ── ask ── update it
struct SignIn {
  let item: PasswordItem
  /// Whether the server takes a password.
  let isAccepted: (String) -> Bool
  /// Asks the person; nil where nobody types anything.
  let ask: (String) -> String?

  /// What happened to the keychain.
  enum Outcome: Equatable {
    case unchanged
    case added
    case updated
    /// The person gave no password, or one that the server does not take.
    case refused
  }

  func run() throws -> Outcome {
    guard let known = try item.read() else {
      guard let password = askForAccepted("Password of \(item.account) at \(item.server): ") else {
        return .refused
      }
      try item.add(password)
      return .added
    }
    if isAccepted(known) { return .unchanged }
    guard let password = askForAccepted("The password was changed. The present one: ") else {
      return .refused
    }
    try item.update(password)
    return .updated
  }

  /// Only what the server takes is remembered.
  private func askForAccepted(_ question: String) -> String? {
    guard let password = ask(question), !password.isEmpty, isAccepted(password) else { return nil }
    return password
  }
}
