import Glibc
import LinuxSystem
import Protocol

/// The lock that makes this process the one core of its folder (`flock(2)`); held until the process
/// ends.
enum FolderLock {
  /// Who serves this folder.
  enum Holder: ~Copyable, Sendable {
    case thisProcess(Descriptor)
    /// Another core, whose socket takes connections.
    case another
  }

  private static let pauseMicroseconds: UInt32 = 10_000

  /// Takes the lock. While another process holds it, it is either about to serve or about to end:
  /// waits to see which.
  /// - Throws: `coreFailed` when neither happens within `milliseconds`; `storageFailed` when the
  ///   lock's file cannot be had.
  static func take(
    in home: borrowing HomeFolder, milliseconds: Int = 10_000
  ) throws(Failure) -> Holder {
    let number = unsafe openat(
      home.number, StateFolder.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else {
      throw Failure(
        .storageFailed,
        "Cannot open \(home.path)/\(StateFolder.lock): \(SystemCallError("openat").reason)",
        hint: "check the permissions of the state folder, and whether its disk is full or read-only"
      )
    }
    let file = Descriptor(owning: number)
    for _ in 0...milliseconds / 10 {
      if flock(file.number, LOCK_EX | LOCK_NB) == 0 { return .thisProcess(file) }
      if ListeningSocket.isServed(in: home.number) { return .another }
      usleep(pauseMicroseconds)
    }
    throw Failure(
      .coreFailed, "another core holds the state folder \(home.path) and does not answer",
      hint: "end the process that holds \(home.path)/\(StateFolder.lock)")
  }
}
