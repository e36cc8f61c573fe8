import Glibc
import LinuxSystem
import Protocol

/// The connection to another agent that stands behind one client's connection.
///
/// It is opened once. After a failure it stays closed: a new one would know nothing of the hosts
/// that the first was bound to, and would give a forwarded client what the first refused it.
struct UpstreamAgent: ~Copyable {
  private let path: String
  private var socket: Descriptor?
  private var hasFailed = false
  private var cutter = MessageCutter()

  /// Milliseconds to connect, and to list.
  private static let listing: Int32 = 5000
  /// Milliseconds for a signature or a change, about which that agent may ask its person.
  private static let asking: Int32 = 60_000

  /// - Parameter path: of the agent's socket.
  init(_ path: String) { self.path = path }

  /// Sends a message and waits for its answer.
  /// - Returns: nil if there is none in time.
  mutating func answer(to message: [UInt8]) -> [UInt8]? {
    let isListing = message[0] == AgentMessage.requestIdentities
    let deadline = Deadline(milliseconds: isListing ? Self.listing : Self.asking)
    guard !hasFailed, let number = opened(),
      let answer = exchange(message, on: number, until: deadline)
    else {
      hasFailed = true
      socket = nil
      return nil
    }
    return answer
  }

  private mutating func opened() -> Int32? {
    if let number = socket?.number { return number }
    do throws(SystemCallError) {
      socket = try UnixSocket.connect(to: path, milliseconds: Self.listing)
    } catch {
      return nil
    }
    return socket?.number
  }

  private mutating func exchange(
    _ message: [UInt8], on socket: Int32, until deadline: Deadline
  ) -> [UInt8]? {
    guard AgentSocket.send(message, to: socket) else { return nil }
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      do throws(DecodeError) {
        if let answer = try cutter.next() { return answer }
      } catch {
        return nil
      }
      var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&polled, 1, deadline.remainingMilliseconds)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return nil }
      let count = unsafe read(socket, &buffer, buffer.count)
      guard count > 0 else { return nil }
      cutter.append(buffer[..<count])
    }
  }
}

enum AgentSocket {
  /// Writes a message behind its length.
  /// - Returns: false if the other side is gone.
  static func send(_ message: [UInt8], to socket: Int32) -> Bool {
    var frame = WireEncoder(capacity: 4 + message.count)
    frame.writeBytes(message)
    return DescriptorBytes.write(frame.finishPlain().span, to: socket)
  }
}
