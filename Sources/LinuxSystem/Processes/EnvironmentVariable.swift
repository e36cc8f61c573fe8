import CSystemCalls
import Glibc

/// Reads and empties the environment of this process.
package enum EnvironmentVariable {
  /// The value of `name`, or nil. Read at start, before other threads could change it.
  package static func value(of name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Whether the value of `name` is UTF-8, or there is none.
  package static func isText(_ name: String) -> Bool {
    unsafe getenv(name).map { unsafe String(validatingCString: $0) != nil } ?? true
  }

  /// Every "NAME=value" entry.
  package static var entries: [String] {
    var entries: [String] = []
    var next = unsafe environ
    // environ ends with NULL (environ(7)).
    while let entry = unsafe next.pointee {
      entries.append(unsafe String(cString: entry))
      unsafe next += 1
    }
    return entries
  }

  /// Removes all of them (`clearenv(3)`).
  package static func removeAll() { _ = ac_clear_environment() }
}
