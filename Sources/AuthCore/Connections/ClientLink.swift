import ClientProtocol
import Glibc
import LinuxSystem
import Synchronization
import Wire

/// The socket of one client. Any thread may send; one thread receives.
final class ClientLink: Sendable {
  /// Who is at the other end.
  let peer: PeerCredentials
  /// Whose items are meant (K2): what the client ran when it was accepted, as ``ApplicationNames``
  /// has it. What it runs later changes nothing.
  let application: String
  /// Whether that was the program that shows prompts for others.
  let isAgentProgram: Bool
  private let stream: MessageStream
  private let turn = Mutex(())

  /// Takes over a connected socket, which becomes non-blocking at this end.
  init(
    _ socket: consuming Descriptor, peer: PeerCredentials, names: ApplicationNames,
    limits: CoreLimits
  ) {
    self.peer = peer
    let program = names.program(connectedTo: socket.number)
    application = program.map { names.application(running: $0) } ?? ""
    isAgentProgram = program.map { names.isAgent($0) } ?? false
    _ = fcntl(socket.number, F_SETFL, O_NONBLOCK)
    stream = MessageStream(
      socket, limit: ClientEnvelope.longestRequest, stallMilliseconds: limits.sendMilliseconds)
  }

  /// Sends one message. A client that does not take it in time is disconnected.
  /// - Returns: whether it was taken.
  func send(_ message: borrowing SecretBytes) -> Bool {
    turn.withLock { _ in
      do throws(StreamError) {
        try stream.send(message)
        return true
      } catch {
        disconnect()
        return false
      }
    }
  }

  /// Sends one short message to a client that has read what came before; one that has not does
  /// without.
  func sendAtOnce(_ message: borrowing SecretBytes) {
    var polled = pollfd(fd: stream.descriptor.number, events: Int16(POLLOUT), revents: 0)
    // A Unix socket is writable while at least three quarters of its buffer are free
    // (unix_writable, net/unix/af_unix.c).
    guard unsafe poll(&polled, 1, 0) == 1 else { return }
    _ = send(message)
  }

  /// Waits for the next message. One for which `hasRoom` gives false comes without its end.
  func receive(hasRoom: (Int) -> Bool) throws(StreamError) -> ReceivedMessage {
    try stream.receive(hasRoom: hasRoom)
  }

  /// Ends both directions: the client can read what was sent, then the end.
  func disconnect() { shutdown(stream.descriptor.number, Int32(SHUT_RDWR)) }

  /// Takes no more messages; what is sent still arrives.
  func stopReceiving() { shutdown(stream.descriptor.number, Int32(SHUT_RD)) }
}
