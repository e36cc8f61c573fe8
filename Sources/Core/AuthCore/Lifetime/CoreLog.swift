import Glibc
import LinuxSystem
import PluginHosting
import Protocol

/// What the core and its plugins say: lines on standard error, a person's terminal for `authcore
/// serve` and nowhere for a core on demand; entries of the journal for the service. Never a secret, a
/// request or a name from the keychain.
package enum CoreLog {
  private static let journal = Guarded<Journal?>(nil)

  /// Has everything that is said from here on written into a journal.
  static func use(_ journal: Journal) { Self.journal.update { $0 = journal } }

  /// Writes what a plugin logs; what is meant for its author alone is left out.
  static func write(_ level: PluginLogLevel, _ text: String, from plugin: String) {
    guard level != .debug else { return }
    write(text, prefix: plugin, level == .info ? .info : .warning)
  }

  /// Writes one line.
  package static func write(_ text: String, prefix: String = "authcored") {
    write(text, prefix: prefix, .info)
  }

  private static func write(_ text: String, prefix: String, _ priority: Journal.Priority) {
    guard let journal = journal.read({ $0 }) else { return writeLine(text, prefix: prefix) }
    let isOwn = prefix == "authcored"
    journal.write(
      isOwn ? text : "\(prefix): \(text)", priority, isOwn ? [] : [("AUTHCORE_PART", prefix)])
  }

  /// Writes one line on standard error as one call, so that lines of two threads do not mix.
  static func writeLine(_ text: String, prefix: String) {
    let line = Array("\(prefix): \(text)\n".utf8)
    // A terminal that is gone is no reason to stop.
    _ = unsafe line.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
