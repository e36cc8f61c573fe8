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
