package import Foundation

/// A folder that is gone when the value is.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = URL(fileURLWithPath: NSTemporaryDirectory())
      .appendingPathComponent("authcore-e2e-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// A file of this folder.
  package func write(_ name: String, _ contents: Data) throws -> URL {
    let file = url.appendingPathComponent(name)
    try contents.write(to: file)
    return file
  }

  /// A process that was killed may still make a file while it is removed.
  func remove() {
    _ = eventually {
      try? FileManager.default.removeItem(at: url)
      return !FileManager.default.fileExists(atPath: url.path)
    }
  }

  deinit { remove() }
}
