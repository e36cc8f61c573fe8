internal import SensorKit

/// Where a recording stands, and which transfers of the driver wait for it.
///
/// A recording is a strict script. Its next submission is matched by a transfer the driver has
/// begun: same kind, endpoint, length, setup packet and bytes written; of several the oldest. Until
/// there is one nothing moves.
struct ScriptPlayback: Playback {
  /// A transfer of the driver's.
  private struct Begun {
    let identifier: UInt32
    let transfer: USBTransfer
    /// The recorded transfer it was matched with.
    var name: String?
    var outcome: Recording.Outcome?
  }

  private let entries: [Recording.Entry]
  /// Those that have not been asked for; the last of a kind answers for ever.
  private var standardRequests: [Recording.Exchange]
  private var position = 0
  private var begun: [Begun] = []

  /// Whether the recording has come to the point where the device went away.
  private(set) var isUnplugged = false

  init(_ entries: [Recording.Entry], standardRequests: [Recording.Exchange]) {
    (self.entries, self.standardRequests) = (entries, standardRequests)
  }

  /// The line of the submission that the recording waits for; nil at its end.
  var awaited: (place: RecordingPlace, transfer: USBTransfer)? {
    guard position < entries.count, case .submission(let transfer, _) = entries[position].event
    else { return nil }
    return (entries[position].place, transfer)
  }

  mutating func submit(_ transfer: USBTransfer, as identifier: UInt32) {
    let outcome = answer(to: transfer)
    begun.append(
      Begun(
        identifier: identifier, transfer: transfer, name: outcome.map { _ in "" }, outcome: outcome)
    )
    advance()
  }

  /// Forgets a transfer. Its recorded end, should there be one, is passed over.
  mutating func cancel(_ identifier: UInt32) {
    begun.removeAll { $0.identifier == identifier }
  }

  /// How the transfer ended, or nil when the recording stands still before that; an end is told
  /// once.
  mutating func takeOutcome(of identifier: UInt32) -> Recording.Outcome? {
    advance()
    guard
      let index = begun.firstIndex(where: { $0.identifier == identifier && $0.outcome != nil })
    else { return nil }
    return begun.remove(at: index).outcome
  }

  /// What the device says to a standard request, whenever it is asked.
  private mutating func answer(to transfer: USBTransfer) -> Recording.Outcome? {
    let matches = standardRequests.indices.filter { standardRequests[$0].transfer == transfer }
    guard let first = matches.first else { return nil }
    return matches.count == 1
      ? standardRequests[first].outcome : standardRequests.remove(at: first).outcome
  }

  /// Plays as far as it goes.
  private mutating func advance() {
    while position < entries.count, !isUnplugged {
      switch entries[position].event {
      case .submission(let transfer, let name):
        guard
          let index = begun.firstIndex(where: { $0.name == nil && $0.transfer == transfer })
        else { return }
        begun[index].name = name
      case .completion(let name, let outcome):
        if let index = begun.firstIndex(where: { $0.name == name && $0.outcome == nil }) {
          begun[index].outcome = outcome
        }
      case .unplugged:
        isUnplugged = true
      }
      position += 1
    }
  }
}
