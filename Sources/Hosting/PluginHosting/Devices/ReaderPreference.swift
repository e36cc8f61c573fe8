import CSystemCalls
import Glibc
import Protocol

/// The reader that a person chose by naming it, remembered in a state folder as one line, `uru4000
/// 05ba:000a 1-2`.
package struct ReaderPreference: Equatable, Sendable {
  private let driver: String
  private let match: String
  private let port: String

  /// The choice of this reader.
  package init(_ reader: Reader) {
    driver = reader.driver.description.name
    match = reader.device.match.text
    port = reader.device.port
  }

  /// Reads a line; nil for one that is none.
  init?(_ line: String) {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count == 3 else { return nil }
    (driver, match, port) = (String(words[0]), String(words[1]), String(words[2]))
  }

  /// Whether this is the reader: of the same model at the same place. At another place it is
  /// another one.
  func means(_ reader: Reader) -> Bool { self == ReaderPreference(reader) }

  private static let maximumBytes = 256

  /// Reads the preference of a state folder; nil where there is none, or none that can be read.
  package static func read(_ file: String) -> ReaderPreference? {
    let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: maximumBytes)
    let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return ReaderPreference(String(decoding: bytes[..<count], as: UTF8.self))
  }

  /// Remembers the preference. Where it cannot be written it is forgotten, which costs naming the
  /// reader again.
  package func write(_ file: String) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
    let descriptor = unsafe ac_open_at(AT_FDCWD, file, flags, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let line = Array("\(driver) \(match) \(port)\n".utf8)
    _ = unsafe Glibc.write(descriptor, line, line.count)
  }
}
