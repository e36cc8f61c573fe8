import Foundation

/// A folder of this user's alone, gone with the value.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var template = Array("\(parent)/authcore-client-XXXXXX".utf8CString)
    // mkdtemp(3) writes the name into the template.
    path = unsafe mkdtemp(&template).map { unsafe String(cString: $0) } ?? "/nonexistent"
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
