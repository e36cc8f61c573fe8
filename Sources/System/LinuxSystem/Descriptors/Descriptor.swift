import Glibc
import Synchronization

/// An open file descriptor with one owner; closed when the value dies.
///
/// The `deinit` is that of a class. Swift 6.3 with `-O` drops the `deinit` of a noncopyable struct that
/// holds nothing but numbers and pointers, once that struct is a field of another one: the optimizer
/// takes the outer struct apart, puts it together again from values that need no destruction, and
/// destroys nothing. A reference is never dropped so. `scripts/check-deinits` keeps to this.
package struct Descriptor: ~Copyable, Sendable {
  private let open: OpenNumber

  /// The number, for a system call that only looks at it. Must not be closed by the callee.
  package var number: Int32 { open.number }

  /// Takes ownership of `number`, which must be open.
  package init(owning number: Int32) { open = OpenNumber(number) }

  /// Gives up ownership: the caller has to close the number.
  package consuming func release() -> Int32 {
    open.isReleased.store(true, ordering: .relaxed)
    return open.number
  }

  /// A second descriptor of the same open file, closed on exec (`fcntl(2)`, `F_DUPFD_CLOEXEC`).
  package borrowing func duplicate() throws(StreamError) -> Descriptor {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .system(call: "fcntl", errno: errno) }
    return Descriptor(owning: copy)
  }

  private final class OpenNumber: Sendable {
    let number: Int32
    let isReleased = Atomic(false)

    init(_ number: Int32) { self.number = number }

    // A failed close loses nothing here: what must survive a crash is synchronized before (store/1).
    deinit { if !isReleased.load(ordering: .relaxed) { close(number) } }
  }
}
