import CSystemCalls
import Glibc

/// Reads and empties the environment of this process. All code of this package uses it
/// (scripts/check-environment).
///
/// A process with more rights than its caller (`AT_SECURE`, `getauxval(3)`) has none: the caller
/// wrote it.
package enum EnvironmentVariable {
  /// Read at start, before other threads could change it.
  package static func value(of name: String) -> String? {
    unsafe ac_environment_value(name).map { unsafe String(cString: $0) }
  }

  /// Whether the value of `name` is UTF-8 or missing.
  package static func isText(_ name: String) -> Bool {
    unsafe ac_environment_value(name).map { unsafe String(validatingCString: $0) != nil } ?? true
  }

  /// "NAME=value".
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

  package static func removeAll() { _ = ac_clear_environment() }
}

/// Capabilities (capabilities(7)) of the calling thread, given up before there are other threads.
package enum ProcessRights {
  /// Gives up all of them, except in a process of root, where that gains nothing.
  /// - Returns: a sentence if that failed.
  package static func giveUp() -> [String] {
    geteuid() == 0 ? [] : giveUpEvenRoots()
  }

  /// The same, also in a process of root.
  package static func giveUpEvenRoots() -> [String] {
    ac_drop_capabilities() == 0 ? [] : ["capabilities could not be given up"]
  }

  /// Gives up all but `CAP_SYS_PTRACE`, which looks at other users' processes.
  /// - Returns: whether that worked.
  package static func keepTracing() -> Bool { ac_keep_tracing() == 0 }
}

/// Whether the environment may tell this process to trust other folders or to do without a sandbox.
package enum ProcessPrivilege: Equatable, Sendable {
  /// A person's own process, which may trust anything.
  case ordinary
  /// The service, or set-user-ID and the like (`AT_SECURE`, `getauxval(3)`): the environment is not
  /// trusted.
  case privileged

  /// The uid does not matter: root at a shell is a person.
  package static func current(isService: Bool) -> ProcessPrivilege {
    isService || ac_is_secure_execution() != 0 ? .privileged : .ordinary
  }
}
