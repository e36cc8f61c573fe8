import CSystemCalls
import Glibc
import LinuxSystem
import Protocol

/// A file in memory that has no name, holds a secret, and cannot be changed (`memfd_create(2)`).
///
/// What it holds is as safe as a variable's value: whoever may look into the process may read it, and
/// where there is swap it may come there.
struct SecretFile: ~Copyable {
  private let descriptor: Descriptor

  /// Below it are numbers that shells write out in redirections.
  private static let lowestNumber: Int32 = 10

  /// - Throws: `coreFailed` where the kernel has no room for it.
  init(holding secret: borrowing SecretBytes) throws(Failure) {
    let made = ac_make_memory_file()
    guard made >= 0 else { throw Self.failure("memfd_create") }
    let first = Descriptor(owning: made)
    let number = fcntl(first.number, F_DUPFD_CLOEXEC, Self.lowestNumber)
    guard number >= 0 else { throw Self.failure("fcntl") }
    let file = Descriptor(owning: number)
    guard fchmod(number, 0o400) == 0 else { throw Self.failure("fchmod") }
    guard DescriptorBytes.write(secret.bytes, to: number) else { throw Self.failure("write") }
    guard ac_seal_memory_file(number) == 0, lseek(number, 0, SEEK_SET) == 0 else {
      throw Self.failure("fcntl")
    }
    descriptor = file
  }

  /// Lets the program that takes this process's place keep it. It stays open until then.
  /// - Returns: its path in that program.
  consuming func handOver() -> String {
    let number = descriptor.release()
    _ = fcntl(number, F_SETFD, 0)
    return "/proc/self/fd/\(number)"
  }

  private static func failure(_ call: String) -> Failure {
    Failure(.coreFailed, "Cannot make a file in memory: \(SystemCallError(call).reason)")
  }
}
