import CSystemCalls
import Glibc

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
