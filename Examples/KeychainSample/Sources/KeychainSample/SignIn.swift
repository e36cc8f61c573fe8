import Foundation

/// Signs in with the password of the keychain, as a client of a server does:
///
///     look in the keychain ── there is none ── ask ── add it
///              │
///            there is one ── the server takes it ── done
///                                    │
///                             it was changed ── ask ── update it
struct SignIn {
  let item: PasswordItem
  /// Whether the server accepts a password.
  let isAccepted: (String) -> Bool
  /// Asks the person. Returns nil if nothing is typed.
  let ask: (String) -> String?

  /// What happened to the keychain.
  enum Outcome: Equatable {
    case unchanged
    case added
    case updated
    /// The person gave no password, or one that the server does not accept.
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

  /// Only a password that the server accepts is remembered.
  private func askForAccepted(_ question: String) -> String? {
    guard let password = ask(question), !password.isEmpty, isAccepted(password) else { return nil }
    return password
  }
}

/// A made-up server. It accepts any password until one is set for the account, in a file.
struct Server {
  let name = "www.example.com"
  let file: URL

  /// The file is in the person's data folder (XDG Base Directory Specification).
  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let folder =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
      ?? URL(fileURLWithPath: environment["HOME"] ?? NSHomeDirectory())
      .appendingPathComponent(".local/share")
    file = folder.appendingPathComponent("keychain-sample/server.json")
  }

  private var accounts: [String: String] {
    guard let contents = try? Data(contentsOf: file) else { return [:] }
    return (try? JSONDecoder().decode([String: String].self, from: contents)) ?? [:]
  }

  func accepts(_ password: String, of account: String) -> Bool {
    accounts[account].map { $0 == password } ?? true
  }

  /// Changes the password at the server. The keychain does not know.
  func change(_ password: String, of account: String) throws {
    var accounts = accounts
    accounts[account] = password
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try JSONEncoder().encode(accounts).write(to: file, options: .atomic)
  }
}
