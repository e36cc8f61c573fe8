package import Foundation

/// A store of pass and a keyring of gpg with one key that has no passphrase, in a temporary folder.
package final class PrivatePasswordStore {
  package let folder: URL
  private let keyring: URL

  /// Whether gpg is there.
  package static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/gpg")

  /// An empty store.
  package init() throws {
    // The path of the agent's socket has little room (unix(7)).
    let base = URL(fileURLWithPath: NSTemporaryDirectory())
      .appendingPathComponent("pass-\(UUID().uuidString.prefix(8))")
    folder = base.appendingPathComponent("store")
    keyring = base.appendingPathComponent("gnupg")
    for url in [folder, keyring] {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    try gpg([
      "--passphrase", "", "--quick-generate-key", "test@example.org", "ed25519", "default", "never",
    ])
    let key = try gpg(["--with-colons", "--list-keys"]).split(separator: "\n")
      .first { $0.hasPrefix("fpr:") }?.split(separator: ":").last
    try gpg(["--passphrase", "", "--quick-add-key", String(key ?? ""), "cv25519", "encr", "never"])
  }

  /// The variables that name store and keyring.
  package var environment: [String] {
    ["PATH=/usr/bin:/bin", "GNUPGHOME=\(keyring.path)", "PASSWORD_STORE_DIR=\(folder.path)"]
  }

  private struct GPGFailed: Error {
    let arguments: [String]
  }

  @discardableResult
  private func gpg(_ arguments: [String], input: [UInt8] = []) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/gpg")
    process.arguments = ["--batch", "--yes", "--quiet", "--pinentry-mode", "loopback"] + arguments
    process.environment = ["PATH": "/usr/bin:/bin", "GNUPGHOME": keyring.path]
    let file = keyring.appendingPathComponent("input")
    try Data(input).write(to: file)
    process.standardInput = try FileHandle(forReadingFrom: file)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw GPGFailed(arguments: arguments) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Puts an entry into the store, as `pass insert` does.
  package func insert(_ name: String, _ text: [UInt8]) throws {
    let file = folder.appendingPathComponent(name + ".gpg")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try gpg(
      ["--trust-model", "always", "-r", "test@example.org", "-o", file.path, "--encrypt"],
      input: text)
  }

  /// The same with a text.
  package func insert(_ name: String, _ text: String) throws { try insert(name, Array(text.utf8)) }

  deinit {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/gpgconf")
    process.arguments = ["--kill", "all"]
    process.environment = ["PATH": "/usr/bin:/bin", "GNUPGHOME": keyring.path]
    if (try? process.run()) != nil { process.waitUntilExit() }
    try? FileManager.default.removeItem(at: folder.deletingLastPathComponent())
  }
}
