import Glibc

/// An open file descriptor with one owner; closed when the value dies.
package struct Descriptor: ~Copyable, Sendable {
  /// The number, for a system call that only looks at it. Must not be closed by the callee.
  package let number: Int32

  /// Takes ownership of `number`, which must be open.
  package init(owning number: Int32) { self.number = number }

  /// Gives up ownership: the caller has to close the number.
  package consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// A second descriptor of the same open file, closed on exec (`fcntl(2)`, `F_DUPFD_CLOEXEC`).
  package borrowing func duplicate() throws(StreamError) -> Descriptor {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .system(call: "fcntl", errno: errno) }
    return Descriptor(owning: copy)
  }

  // A failed close loses nothing here: what must survive a crash is synchronised before (store/1).
  deinit { close(number) }
}
