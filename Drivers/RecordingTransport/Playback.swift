package import SensorKit

/// A recording that is being played: its position, and the driver's transfers that wait for it.
package protocol Playback {
  /// Whether the device has gone in the recording.
  var isUnplugged: Bool { get }

  /// What the recording waits for, or nil at its end.
  var awaited: (place: RecordingPlace, transfer: USBTransfer)? { get }

  /// Where the recording began again last, or nil if it never did.
  var restart: RecordingPlace? { get }

  mutating func submit(_ transfer: USBTransfer, as identifier: UInt32) throws(SensorFailure)

  /// Forgets a transfer. Its recorded end, if there is one, is skipped.
  mutating func cancel(_ identifier: UInt32)

  /// How the transfer ended, or nil if the recording does not get that far. An end is reported
  /// once.
  mutating func takeOutcome(of identifier: UInt32) -> Recording.Outcome?
}

extension Recording {
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

/// Plays a strict script.
///
/// Its next submission is matched by the oldest transfer of the driver that has the same kind,
/// endpoint, length, setup packet and written bytes. Nothing moves until there is one.
struct ScriptPlayback: Playback {
  /// A transfer of the driver.
  private struct Begun {
    let identifier: UInt32
    let transfer: USBTransfer
    /// The recorded transfer that it was matched with.
    var name: String?
    var outcome: Recording.Outcome?
  }

  private let entries: [Recording.Entry]
  /// Those that have not been asked for. The last one of a kind is used again and again.
  private var standardRequests: [Recording.Exchange]
  private var position = 0
  private var begun: [Begun] = []

  private(set) var isUnplugged = false

  /// A script is played once.
  let restart: RecordingPlace? = nil

  init(_ entries: [Recording.Entry], standardRequests: [Recording.Exchange]) {
    (self.entries, self.standardRequests) = (entries, standardRequests)
  }

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

  mutating func cancel(_ identifier: UInt32) {
    begun.removeAll { $0.identifier == identifier }
  }

  mutating func takeOutcome(of identifier: UInt32) -> Recording.Outcome? {
    advance()
    guard
      let index = begun.firstIndex(where: { $0.identifier == identifier && $0.outcome != nil })
    else { return nil }
    return begun.remove(at: index).outcome
  }

  /// The answer to a standard request, which may come at any time.
  private mutating func answer(to transfer: USBTransfer) -> Recording.Outcome? {
    let matches = standardRequests.indices.filter { standardRequests[$0].transfer == transfer }
    guard let first = matches.first else { return nil }
    return matches.count == 1
      ? standardRequests[first].outcome : standardRequests.remove(at: first).outcome
  }

  /// Plays as far as possible.
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

/// Plays transfers that were recorded one after the other, by umockdev's rules.
///
/// A transfer is answered by the next recorded one that is equal. The search goes past the end to
/// the start, because equal writes may have been recorded only once. Only one transfer may be under
/// way.
struct SequencePlayback: Playback {
  private let exchanges: [Recording.Exchange]
  /// Where the search for the next transfer begins.
  private var position = 0
  private var begun: (identifier: UInt32, outcome: Recording.Outcome?)?

  let isUnplugged = false
  private(set) var restart: RecordingPlace?

  init(_ exchanges: [Recording.Exchange]) {
    self.exchanges = exchanges
  }

  var awaited: (place: RecordingPlace, transfer: USBTransfer)? {
    guard position < exchanges.count else { return nil }
    return (exchanges[position].place, exchanges[position].transfer)
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
    if let match {
      if match < position { restart = exchanges[match].place }
      position = match + 1
    }
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
