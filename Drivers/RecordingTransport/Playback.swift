package import SensorKit

/// Where a recording stands, and which transfers of the driver wait for it.
package protocol Playback {
  /// Whether the recording has come to the point where the device went away.
  var isUnplugged: Bool { get }

  /// What the recording waits for; nil at its end.
  var awaited: (place: RecordingPlace, transfer: USBTransfer)? { get }

  /// The driver begins a transfer.
  mutating func submit(_ transfer: USBTransfer, as identifier: UInt32) throws(SensorFailure)

  /// Forgets a transfer. Its recorded end, should there be one, is passed over.
  mutating func cancel(_ identifier: UInt32)

  /// How the transfer ended, or nil when the recording stands still before that; an end is told
  /// once.
  mutating func takeOutcome(of identifier: UInt32) -> Recording.Outcome?
}

extension Recording {
  /// Starts to play.
  package func makePlayback() -> any Playback {
    switch content {
    case .script(let entries, let standardRequests):
      ScriptPlayback(entries, standardRequests: standardRequests)
    case .sequence(let exchanges): SequencePlayback(exchanges)
    }
  }

  /// Every transfer that the recorded program began.
  package var transfers: [USBTransfer] {
    switch content {
    case .sequence(let exchanges): exchanges.map { $0.transfer }
    case .script(let entries, let standardRequests):
      entries.compactMap { entry in
        if case .submission(let transfer, _) = entry.event { transfer } else { nil }
      } + standardRequests.map { $0.transfer }
    }
  }
}

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

/// Plays transfers of which each ended before the next began, by umockdev's rules for them.
///
/// A transfer is answered by the next recorded one that equals it, from the one played last on and,
/// past the end, from the start again: equal writes may have been recorded only once. Only one
/// transfer may be under way.
struct SequencePlayback: Playback {
  private let exchanges: [Recording.Exchange]
  /// The first that is looked at for the next transfer.
  private var position = 0
  private var begun: (identifier: UInt32, outcome: Recording.Outcome?)?

  let isUnplugged = false

  init(_ exchanges: [Recording.Exchange]) {
    self.exchanges = exchanges
  }

  var awaited: (place: RecordingPlace, transfer: USBTransfer)? {
    guard !exchanges.isEmpty else { return nil }
    let next = exchanges[position % exchanges.count]
    return (next.place, next.transfer)
  }

  mutating func submit(_ transfer: USBTransfer, as identifier: UInt32) throws(SensorFailure) {
    guard begun == nil else {
      throw SensorFailure(
        .protocolViolation,
        "The driver begins \(transfer) while another transfer is under way, which an .ioctl recording cannot play; end that one first, or use a .pcapng recording"
      )
    }
    let match =
      exchanges[position...].firstIndex { $0.transfer == transfer }
      ?? exchanges[..<position].firstIndex { $0.transfer == transfer }
    if let match { position = (match + 1) % exchanges.count }
    begun = (identifier, match.map { exchanges[$0].outcome })
  }

  mutating func cancel(_ identifier: UInt32) {
    if begun?.identifier == identifier { begun = nil }
  }

  mutating func takeOutcome(of identifier: UInt32) -> Recording.Outcome? {
    guard let begun, begun.identifier == identifier, let outcome = begun.outcome else {
      return nil
    }
    self.begun = nil
    return outcome
  }
}
