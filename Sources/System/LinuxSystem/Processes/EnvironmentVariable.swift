import CSystemCalls
import Glibc

/// Reads and empties the environment of this process. All of this package's code reads it here
/// (scripts/check-environment).
///
/// A process that runs with more rights than its caller's (`AT_SECURE`, `getauxval(3)`) has none:
/// the caller wrote it.
package enum EnvironmentVariable {
  /// The value of `name`, or nil. Read at start, before other threads could change it.
  package static func value(of name: String) -> String? {
    unsafe ac_environment_value(name).map { unsafe String(cString: $0) }
  }

  /// Whether the value of `name` is UTF-8, or there is none.
  package static func isText(_ name: String) -> Bool {
    unsafe ac_environment_value(name).map { unsafe String(validatingCString: $0) != nil } ?? true
  }

  /// Every "NAME=value" entry.
  package static var entries: [String] {
    guard ProcessPrivilege.current(isService: false) == .ordinary else { return [] }
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
