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

/// Rights beyond those of the user (capabilities(7)), of the calling thread: to be given up before
/// there are others.
package enum ProcessRights {
  /// Gives all of them up; where the process is root's nothing is won by that, and none is.
  /// - Returns: a sentence for what could not be given up.
  package static func giveUp() -> [String] {
    geteuid() == 0 ? [] : giveUpEvenRoots()
  }

  /// The same where root's process is not to be able to do more than another, either.
  package static func giveUpEvenRoots() -> [String] {
    ac_drop_capabilities() == 0 ? [] : ["capabilities could not be given up"]
  }

  /// Gives all up but that of looking at other users' processes (`CAP_SYS_PTRACE`).
  /// - Returns: whether that is so.
  package static func keepTracing() -> Bool { ac_keep_tracing() == 0 }
}

/// Whether this process may be told by its environment to trust other folders or to do without a
/// sandbox.
package enum ProcessPrivilege: Equatable, Sendable {
  /// A person's own process: what it trusts is that person's affair.
  case ordinary
  /// Set-user-ID or the like (`AT_SECURE`, `getauxval(3)`), or the service: the environment is not
  /// to be believed.
  case privileged

  /// What this process is. The uid does not matter: root at a shell is a person.
  package static func current(isService: Bool) -> ProcessPrivilege {
    isService || ac_is_secure_execution() != 0 ? .privileged : .ordinary
  }
}
