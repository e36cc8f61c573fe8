import CoreClient
import Glibc
import LinuxSystem
import Protocol

extension Failure {
  /// Why a file that the command line names cannot be written, by `errno`: an error of usage where it
  /// could not be made by anybody, for its name.
  static func cannotWrite(_ path: String, hint: String? = nil) -> Failure {
    let number = errno
    if [ENAMETOOLONG, ENOENT, ENOTDIR, EISDIR, ELOOP].contains(number) {
      return Failure(
        .usage, "Cannot write \(path.printable): \(SystemCallError.text(of: number))",
        hint: "Choose another name, in a folder that is there.")
    }
    return Failure(
      .storageFailed, "Cannot write \(path.printable): \(SystemCallError.text(of: number))",
      hint: hint)
  }
}
