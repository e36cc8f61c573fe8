import Glibc
import LinuxSystem
import PluginHosting
import Protocol
import Sandbox
import Synchronization

final class HostMailbox: Sendable {
  private let stream: MessageStream
  private let sending = Mutex(())

  init(_ number: Int32) {
    stream = MessageStream(Descriptor(owning: number), limit: HostProtocol.maximumMessage)
  }

  var descriptor: Int32 { stream.descriptor.number }

  /// Sends a message. Any thread. If the core is gone, the end of the mailbox will end this host.
  func send(_ message: borrowing some WireMessage & ~Copyable) {
    let bytes = message.encoded()
    sending.withLock { _ in try? stream.send(bytes) }
  }

  func reply(_ reply: borrowing SecretBytes) {
    let (head, rest) = (EngineReply.head(count: reply.count), reply.bytes)
    sending.withLock { _ in try? stream.send(head, rest) }
  }

  /// Waits for a message of the core, which is trusted to complete it; nil if the mailbox is
  /// closed.
  func receive() -> ReceivedMessage? { try? stream.receive() }

  func log(_ level: PluginLogLevel, _ text: String) { send(HostLog(level, text)) }

  func end(because reason: String) -> Never {
    send(HostEnding(reason))
    _exit(1)
  }
}

/// Ends this process if its mailbox closes while its thread is in an engine that does not return.
enum Lifeline {
  /// How long the engine may take to finish and be destroyed.
  private static let graceMicroseconds: UInt32 = 300_000

  /// Watches the socket from a thread of its own.
  static func watch(_ mailbox: Int32) {
    SystemThread.start(name: "lifeline") {
      // POLLRDHUP reports the end of the other side even while messages wait to be read (poll(2)).
      var poll = pollfd(fd: mailbox, events: hangUp, revents: 0)
      while unsafe Glibc.poll(&poll, 1, -1) <= 0 {}
      usleep(graceMicroseconds)
      _exit(0)
    }
  }

  private static let hangUp: Int16 = 0x2000  // POLLRDHUP
}

extension HostSandbox {
  /// Refuses a plugin whose constructors left descriptors open.
  /// - Parameters:
  ///   - file: what was loaded last.
  ///   - code: of the failure.
  /// - Throws: `code`, naming the file and the descriptors.
  func expectNoDescriptors(of file: TrustedFile, code: FailureCode) throws(Failure) {
    let stray = strayDescriptors()
    guard !stray.isEmpty else { return }
    let numbers = stray.map { String($0) }.joined(separator: ", ")
    throw Failure(
      code, "Cannot use \(file.path): while it was loaded it left descriptor \(numbers) open",
      hint: "a plugin opens nothing before its entry is called; try another version of it")
  }
}
