import Synchronization
import Wire

/// A request that waits for its turn, with the descriptors that came with it.
final class QueuedRequest: Sendable {
  let number: UInt8
  let identifier: UInt32
  private let message: Mutex<ReceivedMessage?>

  init(number: UInt8, identifier: UInt32, _ message: consuming sending ReceivedMessage) {
    self.number = number
    self.identifier = identifier
    self.message = Mutex(message)
  }

  /// The message; nil when it has been taken.
  func take() -> ReceivedMessage? { message.withLock { $0.take() } }
}
