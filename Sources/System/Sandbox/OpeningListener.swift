import CSystemCalls
import Glibc
package import LinuxSystem
import Protocol

/// Reports every file that the thread which made it opens from then on. That thread waits in each
/// call until another has taken notice. Forbids nothing.
package final class OpeningListener: Sendable {
  private let listener: Descriptor
  private let memory: Descriptor

  /// Listens to the calling thread. Needs `no_new_privs`.
  package init() throws(SystemCallError) {
    let number = unsafe ac_open_at(AT_FDCWD, "/proc/self/mem", O_RDONLY | O_CLOEXEC, 0)
    guard number >= 0 else { throw SystemCallError("open") }
    let memory = Descriptor(owning: number)
    var filter = SystemCallFilter(otherwise: .allow)
    filter.set(.always(.tell), for: [SYS_openat, SYS_openat2])
    #if arch(x86_64)
      filter.set(.always(.tell), for: [SYS_open, SYS_creat])
    #endif
    let program = filter.instructions
    let descriptor = unsafe program.withUnsafeBufferPointer {
      unsafe ac_seccomp_listen($0.baseAddress, UInt16(clamping: $0.count))
    }
    guard descriptor >= 0 else { throw SystemCallError("seccomp") }
    listener = Descriptor(owning: descriptor)
    self.memory = memory
  }

  /// Waits for the next file, and lets the call go on after `notice`. Called on another thread than
  /// the one that is listened to.
  /// - Parameter notice: gets the path of the call, at most 4,096 bytes.
  /// - Returns: false if the thread has ended.
  package func next(_ notice: ([UInt8]) -> Void) -> Bool {
    var identifier: UInt64 = 0
    var call: Int32 = 0
    var arguments = [UInt64](repeating: 0, count: 6)
    repeat {
      // If the thread has ended, asking for the next call either waits forever or, since Linux
      // 6.11, fails like an interrupted call; only poll(2) tells.
      guard awaitCall() else { return false }
      let result = unsafe ac_seccomp_next(listener.number, &identifier, &call, &arguments)
      if result == 0 { break }
      guard errno == EINTR || errno == ENOENT else { return false }
    } while true
    notice(text(at: arguments[call == SYS_openat || call == SYS_openat2 ? 1 : 0]))
    _ = ac_seccomp_continue(listener.number, identifier)
    return true
  }

  /// - Returns: false if the thread has ended.
  private func awaitCall() -> Bool {
    var polled = pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&polled, 1, -1) < 0 {
      guard errno == EINTR else { return false }
    }
    return polled.revents & Int16(POLLIN) != 0
  }

  /// Reads through `/proc/self/mem`, so that a bad address gives nothing.
  private func text(at address: UInt64) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe pread(
      memory.number, &bytes, bytes.count, Int(truncatingIfNeeded: address))
    return Array(bytes.prefix(max(0, count)).prefix { $0 != 0 })
  }
}
