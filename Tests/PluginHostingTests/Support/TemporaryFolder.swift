import Foundation
import Glibc
import LinuxSystem

/// A folder of one test's own (0700, canonical), gone when the test ends.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let parent = EnvironmentVariable.value(of: "TMPDIR") ?? "/tmp"
    var template = Array("\(parent)/authcore-hosting-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func file(_ name: String) -> String { path + "/" + name }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }

  @discardableResult
  func makeFolder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: file(name), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    return file(name)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
