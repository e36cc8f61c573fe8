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

  /// - Returns: the number of bytes that follow.
  /// - Throws: ``StreamError/tooLong(count:limit:)``, before memory is reserved.
  static func count(in header: Span<UInt8>, limit: Int) throws(StreamError) -> Int {
    var count = 0
    for index in 0..<headerSize { count = count << 8 | Int(header[index]) }
    guard count <= limit else { throw .tooLong(count: count, limit: limit) }
    return count
  }

  /// Writes as much as fits of a message in two parts (`sendmsg(2)`), from byte `sent` on.
  /// Duplicates of `descriptors` travel with the first byte.
  /// - Returns: the number of bytes taken; negative: see `errno`.
  static func write(
    _ socket: Int32, _ header: Span<UInt8>, _ body: Span<UInt8>, from sent: Int,
    _ descriptors: [Int32] = []
  ) -> Int {
    // One call for both parts: a reader woken by the length alone would only sleep again.
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
  ///   - space: filled from its beginning.
  ///   - descriptors: takes the descriptors that came.
  ///   - writers: takes the writer.
  /// - Returns: the number of bytes; 0: the other side closed; negative: see `errno`.
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

/// Who wrote a message, by the kernel's word about each piece (`SCM_CREDENTIALS`, unix(7)). Shows
/// that somebody else writes to a socket that was passed on or inherited.
package struct MessageWriter: Equatable, Sendable {
  /// In this process's namespace.
  package let process: Int32
  /// Real ids.
  package let user, group: UInt32

  package init(process: Int32, user: UInt32, group: UInt32) {
    (self.process, self.user, self.group) = (process, user, group)
  }

  /// Asks for the writer of everything received from now on, also on sockets accepted from this one
  /// (`SO_PASSCRED`).
  package static func receive(on socket: borrowing Descriptor) throws(SystemCallError) {
    guard ac_tell_writers(socket.number) == 0 else { throw SystemCallError("setsockopt") }
  }
}

package struct MessageWriters: Sendable {
  private var first: MessageWriter?
  private var isClear = true

  package init() {}

  /// The only writer; nil if the kernel does not say, cannot name the process here, or names
  /// several.
  package var only: MessageWriter? { isClear ? first : nil }

  /// Notes the writer of a piece. Process 0 cannot be named.
  mutating func note(_ piece: ac_writer) {
    let writer = MessageWriter(process: piece.process, user: piece.user, group: piece.group)
    isClear = isClear && piece.process != 0 && (first ?? writer) == writer
    first = first ?? writer
  }
}
