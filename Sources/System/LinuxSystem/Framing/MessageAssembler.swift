package import Protocol

/// Puts messages together from whatever pieces of a stream arrive. Does no input or output.
///
/// ``MessageStream`` waits for the rest of a message that has begun; a process that serves several
/// others must not, because any of them could stop in the middle.
package struct MessageAssembler: ~Copyable, Sendable {
  private var header = SecretBytes(count: MessageFraming.headerSize)
  private var body: SecretBytes?
  private var filled = 0

  /// The longest message that is taken, in bytes.
  package let limit: Int

  /// Waits for a first message.
  package init(limit: Int) { self.limit = limit }

  /// Whether a message has begun and is not complete.
  package var isInsideMessage: Bool { filled > 0 || body != nil }

  /// Takes one piece.
  /// - Parameter read: fills the beginning of the memory it is given, never more than the rest of a
  ///   header or message, and returns how many bytes it wrote.
  /// - Returns: the message that is complete with this piece.
  /// - Throws: ``StreamError/tooLong(count:limit:)``, before memory is taken for the message; the
  ///   stream is lost then.
  @unsafe package mutating func take(
    _ read: (UnsafeMutableRawBufferPointer) throws(StreamError) -> Int
  ) throws(StreamError) -> SecretBytes? {
    let start = filled
    guard var message = body.take() else {
      filled += unsafe try header.withUnsafeMutableBytes {
        (bytes: UnsafeMutableRawBufferPointer) throws(StreamError) -> Int in
        unsafe try read(UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
      }
      guard filled == MessageFraming.headerSize else { return nil }
      let count = try MessageFraming.count(in: header.bytes, limit: limit)
      filled = 0
      guard count > 0 else { return SecretBytes(count: 0) }
      body = SecretBytes(count: count)
      return nil
    }
    let arrived: Int
    do throws(StreamError) {
      arrived = unsafe try message.withUnsafeMutableBytes {
        (bytes: UnsafeMutableRawBufferPointer) throws(StreamError) -> Int in
        unsafe try read(UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
      }
    } catch {
      body = consume message
      throw error
    }
    filled += arrived
    guard filled == message.count else {
      body = consume message
      return nil
    }
    filled = 0
    return message
  }
}
