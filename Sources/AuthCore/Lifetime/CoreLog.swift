import Glibc
import PluginHosting

/// Lines on standard error: a person's terminal for `authcore serve`, nowhere for a core on demand.
/// Never a secret, a request or a name from the keychain.
package enum CoreLog {
  /// Writes what a plugin logs; what is meant for its author alone is left out.
  static func write(_ level: PluginLogLevel, _ text: String, from plugin: String) {
    guard level != .debug else { return }
    write(text, prefix: plugin)
  }

  /// Writes one line as one call, so that lines of two threads do not mix.
  package static func write(_ text: String, prefix: String = "authcored") {
    let line = Array("\(prefix): \(text)\n".utf8)
    // A terminal that is gone is no reason to stop.
    _ = unsafe line.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
