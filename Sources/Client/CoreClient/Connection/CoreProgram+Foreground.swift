import Glibc
import LinuxSystem
package import Protocol

extension CoreProgram {
  /// Turns this process into the core of a state folder, on the caller's streams (`execve(2)`).
  /// - Returns: why it could not; otherwise it does not return.
  package static func become(home: String, lockAfterSeconds: UInt32?) -> Failure {
    let program = path()
    let arguments =
      [program, "--home", home] + (lockAfterSeconds.map { ["--lock-after", String($0)] } ?? [])
    // strdup gives each string memory that lives until execve replaces it all, or this process
    // ends.
    var argumentPointers = unsafe arguments.map { unsafe strdup($0) } + [nil]
    var environmentPointers = unsafe CoreStarter.environment.map { unsafe strdup($0) } + [nil]
    unsafe execve(program, &argumentPointers, &environmentPointers)
    return Failure(
      .coreFailed, "Cannot start \(program): \(SystemCallError.text(of: errno))",
      hint: "authcored belongs beside authcore; build or install both.")
  }
}
