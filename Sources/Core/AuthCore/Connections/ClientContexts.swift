import LinuxSystem
import Protocol
import Synchronization

/// Notices that another process writes into a connection than the one before.
struct SpeakerChange {
  private var last: MessageWriter?
  private var speaker: UInt64 = 0

  /// Takes the writer of the next message.
  /// - Returns: a number that changes when the writer does; also where nobody knows who it is.
  mutating func speaker(of writer: MessageWriter?) -> UInt64 {
    if writer == nil || writer != last { speaker += 1 }
    last = writer
    return speaker
  }
}

/// The evidence contexts that a client opened to outlive its requests. The enclave keeps them and
/// says what they are worth; what is known here is which numbers the client was given, and when all
/// of them have to end: with the connection, and when somebody else speaks through it.
///
/// Any thread: the connection's requests run one after the other.
final class ClientContexts: Sendable {
  private struct State {
    var numbers: Set<UInt64> = []
    /// Some may be open that the client was not given.
    var areOthersLeft = false
    var speaker: UInt64 = 0
  }

  /// Whose contexts these are.
  let requester: Requester
  private let state = Mutex(State())

  init(of requester: Requester) { self.requester = requester }

  /// Whether the enclave may have one open.
  var mayBeOpen: Bool { state.withLock { !$0.numbers.isEmpty || $0.areOthersLeft } }

  /// Whether the client opened this one. It may be over all the same.
  func contains(_ number: UInt64) -> Bool { state.withLock { $0.numbers.contains(number) } }

  /// A context is about to be opened.
  func insert(_ number: UInt64) { state.withLock { _ = $0.numbers.insert(number) } }

  /// A context is closed.
  func remove(_ number: UInt64) { state.withLock { _ = $0.numbers.remove(number) } }

  /// The enclave could not be told that one is closed.
  func noteLeftOpen() { state.withLock { $0.areOthersLeft = true } }

  /// A request of this speaker is about to run: contexts that another one opened end before.
  func prepare(for speaker: UInt64, _ enclaves: EnclaveSupervisor) {
    let isChanged = state.withLock { state in
      defer { state.speaker = speaker }
      return state.speaker != speaker
    }
    if isChanged { end(enclaves) }
  }

  /// Ends all contexts there are.
  func end(_ enclaves: EnclaveSupervisor) {
    let wereAny = state.withLock { state in
      defer { (state.numbers, state.areOthersLeft) = ([], false) }
      return !state.numbers.isEmpty || state.areOthersLeft
    }
    guard wereAny, let enclave = enclaves.running else { return }
    do throws(Failure) {
      try enclave.tell(CloseContexts(of: requester))
    } catch {
      // An enclave that has ended has no contexts.
    }
  }
}
