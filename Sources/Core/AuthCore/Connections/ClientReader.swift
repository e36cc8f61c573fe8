import LinuxSystem
import Protocol
import Synchronization

/// Takes the messages of one client as they arrive, and tells the ones that end the connection from
/// those that do not. Used by the thread of the loop.
final class ClientReader: Sendable {
  private struct State: ~Copyable {
    var intake: MessageIntake
    /// The locked memory that the message under way holds.
    var share: SecretLedger.Share?
    var change = SpeakerChange()
  }

  /// What was found.
  enum Finding: ~Copyable {
    /// A message, the locked memory it holds, and who speaks.
    case message(ReceivedMessage, SecretLedger.Share?, speaker: UInt64)
    /// Nothing more has arrived; `isInside` a message or between two.
    case nothing(isInside: Bool)
    /// The stream is over, or lost for this reason.
    case end(StreamError)
  }

  private let secrets: SecretLedger
  private let client: PeerCredentials
  private let state: Mutex<State>

  /// - Parameters:
  ///   - secrets: where there is room for messages.
  ///   - client: whose room they take.
  ///   - mostDescriptors: how many may come with a message.
  init(_ secrets: SecretLedger, of client: PeerCredentials, mostDescriptors: Int) {
    self.secrets = secrets
    self.client = client
    state = Mutex(
      State(
        intake: MessageIntake(
          limit: ClientEnvelope.longestRequest, mostDescriptors: mostDescriptors)))
  }

  /// Takes the next message from a socket that does not block.
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
  /// - Returns: the descriptors that came with it, which the caller has to close.
  func end() -> [Int32] {
    state.withLock { state in
      state.share = nil
      return state.intake.drop()
    }
  }
}
