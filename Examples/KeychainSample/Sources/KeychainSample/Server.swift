import Foundation

/// A server that there is only in this sample. It takes any password until one is set as the
/// account's, in a file that stands for what a real server keeps.
struct Server {
  let name = "www.example.com"
  let file: URL

  /// In the person's data folder (XDG Base Directory Specification).
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

  /// Changes the password at the server, behind the keychain's back.
  func change(_ password: String, of account: String) throws {
    var accounts = accounts
    accounts[account] = password
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try JSONEncoder().encode(accounts).write(to: file, options: .atomic)
  }
}
