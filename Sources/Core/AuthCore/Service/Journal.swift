import Glibc
import LinuxSystem

/// Writes entries with fields into the journal of systemd, by its native protocol (systemd.journal-fields(7),
/// "Native Journal Protocol"); where none listens, their messages on standard error. Any thread;
/// waits for nobody.
final class Journal: Sendable {
  /// How grave an entry is (syslog(3)).
  enum Priority: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
  }

  private static let address = "/run/systemd/journal/socket"

  private let socket: DatagramSocket?

  init() {
    do throws(SystemCallError) {
      socket = try DatagramSocket()
    } catch {
      socket = nil
    }
  }

  /// Writes one entry.
  /// - Parameters:
  ///   - message: for people; one line.
  ///   - priority: how grave it is.
  ///   - fields: names in capitals, and values; what must not be read by whoever may read the
  ///     journal is in none.
  func write(_ message: String, _ priority: Priority, _ fields: [(String, String)] = []) {
    let text = Self.shown(message)
    let all =
      [("MESSAGE", text), ("PRIORITY", "\(priority.rawValue)"), ("SYSLOG_IDENTIFIER", "authcored")]
      + fields
    let entry = all.flatMap { Self.encoded($0.0, $0.1) }
    let isTaken =
      switch socket {
      case .some(let socket): socket.send(entry, to: Self.address)
      case nil: false
      }
    if !isTaken { CoreLog.writeLine(text, prefix: "authcored") }
  }

  /// A field as the protocol has it: a value of several lines has its length before it.
  static func encoded(_ name: String, _ value: String) -> [UInt8] {
    let bytes = Array(value.utf8)
    guard bytes.contains(UInt8(ascii: "\n")) else {
      return Array("\(name)=".utf8) + bytes + [UInt8(ascii: "\n")]
    }
    let count = UInt64(bytes.count)
    let length = (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * UInt64($0))) }
    return Array("\(name)\n".utf8) + length + bytes + [UInt8(ascii: "\n")]
  }

  /// Text without what steers a terminal: names come from whoever made the files.
  static func shown(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
          default: scalar
          }
        }))
  }
}
