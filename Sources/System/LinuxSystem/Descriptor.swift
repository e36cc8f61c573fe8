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

/// Open file descriptors that several hold on to; closed when the last of them lets go.
package final class DescriptorList: Sendable {
  /// In the order they were given. For system calls that only look at them.
  package let numbers: [Int32]

  /// Takes ownership of `numbers`, which must be open.
  package init(owning numbers: [Int32] = []) { self.numbers = numbers }

  /// Takes all that came with a message.
  package convenience init(taking descriptors: inout ReceivedDescriptors) {
    var numbers: [Int32] = []
    while let descriptor = descriptors.takeFirst() { numbers.append(descriptor.release()) }
    self.init(owning: numbers)
  }

  /// Sets every file to its beginning: whoever is given one again shares the position of the one
  /// before.
  package func rewind() { for number in numbers { lseek(number, 0, SEEK_SET) } }

  deinit { for number in numbers { close(number) } }
}

/// `write(2)` and `read(2)`, as often as it takes.
package enum DescriptorBytes {
  /// Writes every byte.
  /// - Returns: false if that failed; `errno` says why.
  package static func write(_ bytes: Span<UInt8>, to descriptor: Int32) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = unsafe Glibc.write(
          descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }

  /// Reads to the end, or until there are more than `limit` bytes.
  /// - Returns: nil if that failed; `errno` says why. More than `limit` bytes are never all of them.
  package static func read(from descriptor: Int32, limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: min(limit + 1, 64 << 10))
    while bytes.count <= limit {
      let count = unsafe Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += piece[..<count]
    }
    return bytes
  }
}

package enum OpenDescriptors {
  /// Where nobody limits them.
  private static let most: UInt = 1 << 16

  /// The numbers that are open, found without opening one and by a call that every sandbox allows.
  /// Costs one system call for each that could be.
  package static func numbers() -> Set<Int32> {
    Set((0..<Int32(min(limit, Int(most)))).filter { fcntl($0, F_GETFD) >= 0 })
  }

  /// How many this process may have open.
  package static var limit: Int {
    var limit = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(min(limit.rlim_cur, rlim_t(Int32.max)))
  }

  /// Lets this process open as many as `count`, as far as it may decide that: the limit that
  /// processes begin with is that of programs which use `select`.
  package static func allow(_ count: UInt) {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < count else { return }
    limit.rlim_cur = min(count, limit.rlim_max)
    _ = unsafe setrlimit(resource, &limit)
  }
}
