import CSystemCalls
import Glibc
import Protocol

/// How messages lie in a stream: a `uint32` length, big endian, then that many bytes.
package enum MessageFraming {
  /// Bytes of a length.
  package static let headerSize = 4

  package static func header(count: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
  }

  /// - Parameters:
  ///   - header: ``headerSize`` bytes.
  ///   - limit: bytes of a message.
  /// - Returns: how many bytes follow.
  /// - Throws: ``StreamError/tooLong(count:limit:)``, before memory is taken for the message.
  static func count(in header: Span<UInt8>, limit: Int) throws(StreamError) -> Int {
    var count = 0
    for index in 0..<headerSize { count = count << 8 | Int(header[index]) }
    guard count <= limit else { throw .tooLong(count: count, limit: limit) }
    return count
  }

  /// Writes as much as fits of a message in two parts (`sendmsg(2)`), from its byte `sent` on, and
  /// with its first byte duplicates of `descriptors`.
  /// - Returns: how many bytes were taken; negative: see `errno`.
  static func write(
    _ socket: Int32, _ header: Span<UInt8>, _ body: Span<UInt8>, from sent: Int,
    _ descriptors: [Int32] = []
  ) -> Int {
    // One call for both parts: a reader woken by the length alone would only have to sleep again.
    let (header, body) = (
      header.extracting(droppingFirst: min(sent, header.count)),
      body.extracting(droppingFirst: max(0, sent - header.count))
    )
    let numbers = sent == 0 ? descriptors : []
    return unsafe header.withUnsafeBytes { header in
      unsafe body.withUnsafeBytes { body in
        unsafe numbers.withUnsafeBufferPointer { numbers in
          unsafe ac_send(
            socket, header.baseAddress, header.count, body.baseAddress, body.count,
            numbers.baseAddress, numbers.count)
        }
      }
    }
  }

  /// Reads what has arrived (`recvmsg(2)`), without waiting.
  /// - Parameters:
  ///   - socket: a connected stream socket.
  ///   - space: is filled from its beginning.
  ///   - descriptors: takes those that came with it.
  ///   - writers: takes who wrote it.
  /// - Returns: how many bytes there were; 0: the other side closed; negative: see `errno`.
  @unsafe static func read(
    _ socket: Int32, into space: UnsafeMutableRawBufferPointer,
    _ descriptors: inout ReceivedDescriptors, _ writers: inout MessageWriters
  ) -> Int {
    var numbers = [Int32](repeating: -1, count: MessageStream.mostArriving)
    var arrived = numbers.count
    var writer = ac_writer()
    let count = unsafe ac_receive(
      socket, space.baseAddress, space.count, &numbers, &arrived, &writer)
    if count >= 0 { for number in numbers[..<arrived] { descriptors.append(number) } }
    if count > 0 { writers.note(writer) }
    return count
  }
}

/// Who wrote a message, by the kernel's word about each piece of it (`SCM_CREDENTIALS`, unix(7)). A
/// socket that is passed on, or inherited, says by this that somebody else speaks.
package struct MessageWriter: Equatable, Sendable {
  /// In this process's namespace.
  package let process: Int32
  /// Its real ids.
  package let user, group: UInt32

  /// Describes a writer.
  package init(process: Int32, user: UInt32, group: UInt32) {
    (self.process, self.user, self.group) = (process, user, group)
  }

  /// Has everything that is received from here on say who wrote it, also on sockets that are
  /// accepted from this one (`SO_PASSCRED`).
  package static func receive(on socket: borrowing Descriptor) throws(SystemCallError) {
    guard ac_tell_writers(socket.number) == 0 else { throw SystemCallError("setsockopt") }
  }
}

/// The writers of the pieces of one message.
struct MessageWriters {
  private var first: MessageWriter?
  private var isClear = true

  /// Nobody has written anything.
  init() {}

  /// The one who wrote all of it; nil where the kernel does not say, cannot name that process here,
  /// or names several.
  var only: MessageWriter? { isClear ? first : nil }

  /// Notes who wrote a piece; a process of 0 is one that cannot be named.
  mutating func note(_ piece: ac_writer) {
    let writer = MessageWriter(process: piece.process, user: piece.user, group: piece.group)
    isClear = isClear && piece.process != 0 && (first ?? writer) == writer
    first = first ?? writer
  }
}
