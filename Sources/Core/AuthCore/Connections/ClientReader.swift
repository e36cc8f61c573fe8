import LinuxSystem
import Protocol
import Synchronization

/// Takes the messages of one client as they arrive. Used by the thread of the loop.
final class ClientReader: Sendable {
  private struct State: ~Copyable {
    var intake: MessageIntake
    var share: SecretLedger.Share?
    var change = SpeakerChange()
  }

  enum Finding: ~Copyable {
    /// A message, the locked memory it holds, and its speaker.
    case message(ReceivedMessage, SecretLedger.Share?, speaker: UInt64)
    /// Nothing more has arrived. `isInside` says whether part of a message has.
    case nothing(isInside: Bool)
    case end(StreamError)
  }

  private let secrets: SecretLedger
  private let client: PeerCredentials
  /// Closes the descriptors that it sends.
  let line: ClosingLine
  private let state: Mutex<State>

  /// - Parameters:
  ///   - secrets: gives room for messages.
  ///   - client: is charged for the room.
  ///   - mostDescriptors: how many may come with a message.
  ///   - line: closes them.
  init(
    _ secrets: SecretLedger, of client: PeerCredentials, mostDescriptors: Int,
    closedBy line: ClosingLine
  ) {
    self.secrets = secrets
    self.client = client
    self.line = line
    state = Mutex(
      State(
        intake: MessageIntake(
          limit: ClientEnvelope.longestRequest, mostDescriptors: mostDescriptors, closedBy: line)))
  }

  func next(from socket: Int32) -> Finding {
    state.withLock { state in
      do throws(StreamError) {
        var share = state.share.take()
        let message = try state.intake.next(from: socket) { part, whole in
          let room = share ?? SecretLedger.Share(secrets, of: client)
          share = room
          return room.grow(toRequest: part, of: whole)
        }
        state.share = share
        guard let message else { return .nothing(isInside: state.intake.isInsideMessage) }
        let speaker = state.change.speaker(of: message.writer)
        return .message(message, state.share.take(), speaker: speaker)
      } catch {
        return .end(error)
      }
    }
  }

  /// Gives back what the message under way holds.
  func end() {
    state.withLock { state in
      state.share = nil
      state.intake.drop()
    }
  }
}

/// Notices when another process writes into a connection.
struct SpeakerChange {
  private var last: MessageWriter?
  private var speaker: UInt64 = 0

  /// Takes the writer of the next message.
  /// - Returns: a number that changes with the writer, and with every message of an unknown writer.
  mutating func speaker(of writer: MessageWriter?) -> UInt64 {
    if writer == nil || writer != last { speaker += 1 }
    last = writer
    return speaker
  }
}
