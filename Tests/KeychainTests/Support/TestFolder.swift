import Foundation

/// A folder of its own for each test, gone with the test. In memory where there is such a place: a
/// keychain waits for its disk with every change.
final class TestFolder {
  let path: String

  init() throws {
    let memory = "/dev/shm"
    let parent =
      FileManager.default.isWritableFile(atPath: memory)
      ? memory : FileManager.default.temporaryDirectory.path
    path = parent + "/keychain-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  var database: String { path + "/keychain.sqlite" }

  /// What lies in the folder, by name, without the index of a log.
  var files: [String: Data] {
    get throws {
      var files: [String: Data] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: path)
      where !name.hasSuffix("-shm") {
        files[name] = try contents(of: path + "/" + name)
      }
      return files
    }
  }

  /// Puts files into it.
  func write(_ files: [String: Data]) throws {
    for (name, bytes) in files { try KeychainTests.write(bytes, to: path + "/" + name) }
  }

  /// Every byte that lies in the folder.
  var everything: [UInt8] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: path).flatMap {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "/" + $0)))
      }
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Whether `bytes` hold `part` somewhere.
func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
  Data(bytes).range(of: Data(part)) != nil
}
