import Foundation
import Testing

/// A software TPM 2.0 that programs reach by a socket, with a state of its own.
package final class TPMProcess {
  private let folder: TemporaryFolder
  private var socket: String { folder.url.appendingPathComponent("socket").path }
  private var process: Process?

  package static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/swtpm")

  package init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("state"), withIntermediateDirectories: true)
    try start()
  }

  deinit { stop() }

  /// What programs are told of it.
  package var environment: [String: String] { ["AUTHCORE_TPM": "swtpm:path=\(socket)"] }

  /// Returns when it can be reached.
  package func start() throws {
    try? FileManager.default.removeItem(atPath: socket)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/swtpm")
    process.arguments = [
      "socket", "--tpm2", "--tpmstate",
      "dir=\(folder.url.appendingPathComponent("state").path)", "--server",
      "type=unixio,path=\(socket)", "--flags", "not-need-init,startup-clear", "--log", "level=0",
    ]
    try process.run()
    self.process = process
    // It says nothing when it listens.
    try #require(
      eventually { FileManager.default.fileExists(atPath: socket) }, "swtpm does not listen")
  }

  /// Ends it; what it keeps for good it keeps.
  package func stop() {
    guard let process else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    self.process = nil
  }
}
