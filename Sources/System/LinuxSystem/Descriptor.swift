import Glibc
package import Protocol
import Synchronization

/// An open file descriptor with one owner; closed with the value.
///
/// The `deinit` is that of a class. Swift 6.3 with `-O` drops the `deinit` of a noncopyable struct
/// of numbers and pointers inside another struct: the optimizer takes the outer struct apart,
/// builds it again from values that need no destruction, and destroys nothing. It never drops a
/// reference. `scripts/check-deinits` checks this.
package struct Descriptor: ~Copyable, Sendable {
  private let open: OpenNumber

  /// O_PATH, whose macro Swift does not import.
  package static var pathOnly: Int32 { 0o10_000_000 }

  /// For a system call that does not close it.
  package var number: Int32 { open.number }

  /// Takes ownership of an open number.
  /// - Parameters:
  ///   - number: is closed with the value.
  ///   - line: closes it; nil if the thread that drops it may.
  package init(owning number: Int32, closedBy line: ClosingLine? = nil) {
    open = OpenNumber(number, line)
  }

  /// What closes it; nil if the thread that drops it does.
  package var line: ClosingLine? { open.line }

  /// Gives up ownership; the caller has to close the number.
  package consuming func release() -> Int32 {
    open.isReleased.store(true, ordering: .relaxed)
    return open.number
  }

  /// A second descriptor of the same open file, closed in the same way, and on exec (`fcntl(2)`).
  package borrowing func duplicate() throws(StreamError) -> Descriptor {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .system(call: "fcntl", errno: errno) }
    return Descriptor(owning: copy, closedBy: line)
  }

  /// Closes numbers in line, or here without one.
  static func close(_ numbers: [Int32], _ line: ClosingLine?) {
    if let line { return line.close(numbers) }
    // A failed close loses nothing: files that must survive a crash are synced before (store/1).
    for number in numbers { Glibc.close(number) }
  }

  private final class OpenNumber: Sendable {
    let number: Int32
    let line: ClosingLine?
    let isReleased = Atomic(false)

    init(_ number: Int32, _ line: ClosingLine?) { (self.number, self.line) = (number, line) }

    deinit { if !isReleased.load(ordering: .relaxed) { Descriptor.close([number], line) } }
  }
}

/// Open file descriptors that several share; closed with the last reference.
package final class DescriptorList: Sendable {
  /// In order. For system calls that do not close them.
  package let numbers: [Int32]
  private let line: ClosingLine?

  /// Takes ownership of open numbers.
  /// - Parameters:
  ///   - numbers: are closed with the last reference.
  ///   - line: closes them; nil if the thread that drops that reference may.
  package init(owning numbers: [Int32] = [], closedBy line: ClosingLine? = nil) {
    (self.numbers, self.line) = (numbers, line)
  }

  /// Takes all descriptors of a message.
  package convenience init(taking descriptors: inout ReceivedDescriptors) {
    self.init(owning: descriptors.release(), closedBy: descriptors.line)
  }

  /// Rewinds every file: duplicates share its position.
  package func rewind() { for number in numbers { lseek(number, 0, SEEK_SET) } }

  deinit { Descriptor.close(numbers, line) }
}

/// `write(2)` and `read(2)`, repeated until done.
package enum DescriptorBytes {
  /// Writes all bytes; waits so many milliseconds for a descriptor that does not block.
  /// - Returns: false on failure; see `errno`.
  package static func write(
    _ bytes: Span<UInt8>, to descriptor: Int32, within milliseconds: Int32 = 0
  ) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = unsafe Glibc.write(
          descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN, milliseconds > 0 {
          var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          if unsafe poll(&polled, 1, milliseconds) > 0 { continue }
          errno = EAGAIN
        }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }

  /// Reads once, into the rest of a buffer from `start`.
  /// - Returns: how many bytes came, 0 at the end; nil on failure, see `errno`.
  package static func fill(
    _ buffer: inout SecretBytes, from start: Int, of descriptor: Int32
  ) -> Int? {
    unsafe buffer.withUnsafeMutableBytes { target in
      while true {
        let count = unsafe Glibc.read(
          descriptor, target.baseAddress.map { unsafe $0 + start }, target.count - start)
        if count >= 0 { return count }
        guard errno == EINTR else { return nil }
      }
    }
  }

  /// Reads to the end, or until there are more than `limit` bytes.
  /// - Returns: nil on failure, see `errno`. More than `limit` bytes are incomplete.
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
  /// If there is no limit.
  private static let most: UInt = 1 << 16

  /// The open numbers, found without opening one and by a call that every sandbox allows. One
  /// system call for each possible number.
  package static func numbers() -> Set<Int32> {
    Set((0..<Int32(min(limit, Int(most)))).filter { fcntl($0, F_GETFD) >= 0 })
  }

  package static var limit: Int {
    var limit = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(min(limit.rlim_cur, rlim_t(Int32.max)))
  }

  /// Lets this process open `count` descriptors, within the hard limit. The usual soft limit is for
  /// programs that use `select`.
  package static func allow(_ count: UInt) {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < count else { return }
    limit.rlim_cur = min(count, limit.rlim_max)
    _ = unsafe setrlimit(resource, &limit)
  }
}

package enum StandardError {
  package static func say(_ text: String) {
    let line = Array((text + "\n").utf8)
    // A failure cannot be reported anywhere.
    _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
