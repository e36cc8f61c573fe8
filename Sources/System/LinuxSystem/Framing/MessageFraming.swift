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
