import LinuxSystem
import Protocol
import Synchronization

/// A request that waits for its turn, with the descriptors that came with it.
final class QueuedRequest: Sendable {
  let number: UInt8
  let identifier: UInt32
  /// Who speaks through the connection, as ``SpeakerChange`` numbers them.
  let speaker: UInt64
  /// Whether the kernel says which process that is.
  let hasKnownWriter: Bool
  private let message: Mutex<ReceivedMessage?>
  /// The locked memory it holds until it is answered.
  private let shares: Mutex<[SecretLedger.Share]>

  init(
    number: UInt8, identifier: UInt32, speaker: UInt64,
    _ message: consuming sending ReceivedMessage, _ share: SecretLedger.Share?
  ) {
    self.number = number
    self.identifier = identifier
    self.speaker = speaker
    hasKnownWriter = message.writer != nil
    self.message = Mutex(message)
    shares = Mutex(share.map { [$0] } ?? [])
  }

  /// Holds more locked memory until it is answered.
  func hold(_ share: SecretLedger.Share) { shares.withLock { $0.append(share) } }

  /// The message; nil when it has been taken.
  func take() -> ReceivedMessage? { message.withLock { $0.take() } }
}
