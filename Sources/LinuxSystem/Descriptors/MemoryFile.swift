import CSystemCalls
import Glibc

/// A file in memory without a name that nobody can change any more (memfd_create(2)): whoever is given
/// it can read it without waiting for anybody.
package struct MemoryFile: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// Takes over what an open file holds from its beginning on.
  /// - Throws: what the kernel says.
  package init(copying file: borrowing Descriptor) throws(SystemCallError) {
    let made = ac_make_memory_file()
    guard made >= 0 else { throw SystemCallError("memfd_create") }
    let memory = Descriptor(owning: made)
    var offset = 0
    while true {
      let count = unsafe sendfile(memory.number, file.number, &offset, 1 << 20)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemCallError("sendfile") }
      if count == 0 { break }
    }
    guard ac_seal_memory_file(memory.number) == 0 else { throw SystemCallError("fcntl") }
    descriptor = memory
  }

  /// The number, to pass it on.
  package var number: Int32 { descriptor.number }

  /// Whether an open file is one whose bytes nobody can change, take away or add to.
  package static func isSealed(_ number: Int32) -> Bool { ac_is_sealed_memory_file(number) == 1 }
}
