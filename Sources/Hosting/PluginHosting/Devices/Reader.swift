import CSystemCalls
import Glibc
import LinuxSystem
package import Protocol

package struct Reader: Equatable, Sendable {
  package let driver: InstalledDriver
  package let device: USBPresence

  package init(driver: InstalledDriver, device: USBPresence) {
    (self.driver, self.device) = (driver, device)
  }

  /// The readers among the connected devices: first the preferred one, then external ones in the
  /// order they came, then built-in ones.
  /// - Parameters:
  ///   - drivers: in the order of the search path; the first that claims a device gets it.
  ///   - devices: what is connected.
  ///   - preferred: what the person chose.
  /// - Returns: one for each device that a driver handles.
  package static func all(
    drivers: [InstalledDriver], devices: [USBPresence], preferred: ReaderPreference? = nil
  ) -> [Reader] {
    var readers: [Reader] = []
    for device in devices {
      guard let driver = drivers.first(where: { $0.handles(device) }) else { continue }
      readers.append(Reader(driver: driver, device: device))
    }
    func rank(_ reader: Reader) -> Int {
      if preferred?.means(reader) == true { return 0 }
      return reader.device.place == .builtIn ? 2 : 1
    }
    // sort(by:) is not guaranteed to be stable.
    return (0...2).flatMap { wanted in readers.filter { rank($0) == wanted } }
  }
}

/// The reader that a person chose by naming it, remembered in a state folder as one line, `uru4000
/// 05ba:000a 1-2`.
package struct ReaderPreference: Equatable, Sendable {
  private let driver: String
  private let match: String
  private let port: String

  package init(_ reader: Reader) {
    driver = reader.driver.description.name
    match = reader.device.match.text
    port = reader.device.port
  }

  init?(_ line: String) {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count == 3 else { return nil }
    (driver, match, port) = (String(words[0]), String(words[1]), String(words[2]))
  }

  /// Whether this is the reader: the same model at the same port.
  func means(_ reader: Reader) -> Bool { self == ReaderPreference(reader) }

  private static let maximumBytes = 256

  /// Reads the preference of a state folder; nil if there is none.
  package static func read(_ file: String) -> ReaderPreference? {
    SmallFile.contents(of: file, limit: maximumBytes).flatMap {
      ReaderPreference(String(decoding: $0, as: UTF8.self))
    }
  }

  /// Writes the preference. If that fails, the person has to name the reader again.
  package func write(_ file: String) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
    let descriptor = unsafe ac_open_at(AT_FDCWD, file, flags, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    _ = DescriptorBytes.write(Array("\(driver) \(match) \(port)\n".utf8).span, to: descriptor)
  }
}
