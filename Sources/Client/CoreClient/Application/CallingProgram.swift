import Glibc
package import LinuxSystem

/// The program that started this one, for which a door acts.
package enum CallingProgram {
  /// The parent process; nil if it has ended.
  package static var process: RunningProcess? {
    let parent = getppid()
    // If it had ended before it was opened, its number could mean another process.
    guard let process = RunningProcess(parent), getppid() == parent else { return nil }
    return process
  }
}
