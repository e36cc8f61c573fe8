import Glibc
import LinuxSystem

/// The program that started this one, for which it acts.
package enum CallingProgram {
  /// The name of its file, for prompts. It is only shown, and protects nothing.
  package static var name: String {
    guard let parent = RunningProcess(getppid()), let path = RunningExecutable(of: parent)?.path
    else { return "an application" }
    return String(
      decoding: path[((path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...], as: UTF8.self)
  }
}
