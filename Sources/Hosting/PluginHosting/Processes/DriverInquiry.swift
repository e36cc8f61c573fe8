import LinuxSystem
import Protocol
import Sandbox

/// Asks a driver for its description: a process of its own loads it in the closed sandbox, answers,
/// and ends.
enum DriverInquiry {
  /// How long constructors and entry may take together: a few milliseconds, on an emulated machine
  /// seconds.
  static let milliseconds: Int32 = 6000
  private static let messageLimit = 128 << 10

  /// - Throws: `driverFailed` naming the file and what went wrong: no driver, another version, a
  ///   crash, silence, garbage.
  static func describe(
    _ file: TrustedFile, in installation: Installation
  ) throws(Failure) -> DriverDescription {
    var arguments = ["--describe", file.path]
    if installation.sandbox == .off { arguments += ["--sandbox", Confinement.off.rawValue] }
    let connection = try HostConnection.start(
      HostSubject(kind: .driver, path: file.path), arguments: arguments,
      messageLimit: messageLimit, in: installation)
    let deadline = Deadline(milliseconds: milliseconds)
    while let word = try connection.next(until: deadline) {
      switch consume word {
      case .described(let description): return description
      case .failure(let failure): throw connection.abandon(failure)
      case .log: continue
      default: throw connection.abandon(connection.subject.failure("broke the protocol of hosts"))
      }
    }
    throw connection.giveUp(afterMilliseconds: milliseconds)
  }
}
