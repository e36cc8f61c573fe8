import Glibc
import LinuxSystem
import PluginHosting
import Protocol

/// What the core and its plugins log: lines on standard error, or journal entries for the service.
/// Never a secret, a request or a name from the keychain.
enum CoreLog {
  private static let journal = Guarded<Journal?>(nil)

  /// Writes everything into a journal from now on.
  static func use(_ journal: Journal) { Self.journal.update { $0 = journal } }

  /// Writes what a plugin logs, except for debug lines.
  static func write(_ level: PluginLogLevel, _ text: String, from plugin: String) {
    guard level != .debug else { return }
    write(text, prefix: plugin, level == .info ? .info : .warning)
  }

  static func write(_ text: String, prefix: String = "authcored") {
    write(text, prefix: prefix, .info)
  }

  private static func write(_ text: String, prefix: String, _ priority: Journal.Priority) {
    guard let journal = journal.read({ $0 }) else { return writeLine(text, prefix: prefix) }
    let isOwn = prefix == "authcored"
    journal.write(
      isOwn ? text : "\(prefix): \(text)", priority, isOwn ? [] : [("AUTHCORE_PART", prefix)])
  }

  /// Writes one line on standard error in one call, so that lines of two threads do not mix.
  static func writeLine(_ text: String, prefix: String) {
    let line = Array("\(prefix): \(text)\n".utf8)
    // Goes on if the terminal is gone.
    _ = unsafe line.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
  }
}

/// Writes entries with fields into systemd's journal (https://systemd.io/JOURNAL_NATIVE_PROTOCOL),
/// or their messages on standard error if no journal listens. Any thread; does not block.
final class Journal: Sendable {
  /// As in syslog(3).
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
  ///   - priority: how serious it is.
  ///   - fields: names in capitals, and values; nothing that readers of the journal must not see.
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

  /// A field in the protocol's form: a value of several lines follows its length.
  static func encoded(_ name: String, _ value: String) -> [UInt8] {
    let bytes = Array(value.utf8)
    guard bytes.contains(UInt8(ascii: "\n")) else {
      return Array("\(name)=".utf8) + bytes + [UInt8(ascii: "\n")]
    }
    let count = UInt64(bytes.count)
    let length = (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * UInt64($0))) }
    return Array("\(name)\n".utf8) + length + bytes + [UInt8(ascii: "\n")]
  }

  /// Text without control characters: names may be chosen by an attacker.
  static func shown(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          // Nearly all are printable ASCII, and properties take time.
          if " "..."~" ~= scalar { return scalar }
          return switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
          default: scalar
          }
        }))
  }
}
