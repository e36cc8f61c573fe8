import Glibc
import LinuxSystem
import PluginHosting
import Protocol
import Synchronization

final class HostMailbox: Sendable {
  private let stream: MessageStream
  private let sending = Mutex(())

  /// Takes over the socket.
  init(_ number: Int32) {
    stream = MessageStream(Descriptor(owning: number), limit: HostProtocol.maximumMessage)
  }

  /// To poll.
  var descriptor: Int32 { stream.descriptor.number }

  /// Sends a message; any thread. When nobody listens any more the end of the mailbox will end this
  /// host.
  func send(_ message: borrowing some WireMessage & ~Copyable) {
    let bytes = message.encoded()
    sending.withLock { _ in try? stream.send(bytes) }
  }

  /// Sends the engine's answer to a call.
  func reply(_ reply: borrowing SecretBytes) {
    let (head, rest) = (EngineReply.head(count: reply.count), reply.bytes)
    sending.withLock { _ in try? stream.send(head, rest) }
  }

  /// Waits for a message of the core, which is trusted to finish what it begins; nil when the
  /// mailbox is closed.
  func receive() -> ReceivedMessage? { try? stream.receive() }

  func log(_ level: PluginLogLevel, _ text: String) { send(HostLog(level, text)) }

  /// Ends this process because of the plugin.
  func end(because reason: String) -> Never {
    send(HostEnding(reason))
    _exit(1)
  }
}
