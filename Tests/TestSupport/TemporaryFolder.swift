package import Foundation
import GrayImage
import SyntheticPrints

/// A folder of one test's own (0700), gone with all that is in it when the value is.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    var template = Array((NSTemporaryDirectory() + "/authcore-folder-XXXXXX").utf8CString)
    // mkdtemp(3) writes the name into the template.
    guard let made = unsafe mkdtemp(&template).map({ unsafe String(cString: $0) }) else {
      throw POSIXError(.EIO)
    }
    path = made.replacing("//", with: "/")
  }

  package var url: URL { URL(fileURLWithPath: path) }

  /// The path of a file or folder in it.
  package func file(_ name: String) -> String { path + "/" + name }

  package func bytes(_ name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: url.appendingPathComponent(name)))
  }

  package func write(_ name: String, _ contents: Data) throws -> URL {
    let file = url.appendingPathComponent(name)
    try contents.write(to: file)
    return file
  }

  /// Writes a file and returns its path.
  @discardableResult
  package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try write(name, Data(bytes)).path
  }

  /// Writes a text file and returns its path.
  @discardableResult
  package func write(_ name: String, _ text: String) throws -> String {
    try write(name, Data(text.utf8)).path
  }

  /// Writes a line into a file of its own, as an editor leaves a passcode, and returns its path.
  package func writeLine(_ line: String) throws -> String {
    try write("line-\(UUID().uuidString)", line + "\n")
  }

  @discardableResult
  package func makeFolder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: file(name), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    return file(name)
  }

  /// A process that was killed may still make a file while it is removed.
  func remove() {
    _ = eventually {
      try? FileManager.default.removeItem(at: url)
      return !FileManager.default.fileExists(atPath: path)
    }
  }

  deinit { remove() }
}

extension TemporaryFolder {
  /// One for all tests of this process, removed when it ends.
  package static let shared: Result<TemporaryFolder, any Error> = Result {
    let folder = try TemporaryFolder()
    // A static value is never released.
    atexit { (try? TemporaryFolder.shared.get())?.remove() }
    return folder
  }
}

/// Synthetic prints as files, made once for all tests.
package enum Prints {
  /// Impressions 0..<8 of three fingers.
  package static let owner = Result { try impressions(of: 0xa11ce) }
  package static let second = Result { try impressions(of: 0xb0b) }
  package static let stranger = Result { try impressions(of: 0xe4e) }

  private static func impressions(of seed: UInt64) throws -> [URL] {
    let finger = SyntheticFinger(seed: seed)
    return try (0..<8).map { index in
      let image = finger.impression(seed: seed &* 31 &+ UInt64(index))
      return try TemporaryFolder.shared.get().write(
        "\(seed)-\(index).pgm", Data(image.encodedPGM()))
    }
  }
}
