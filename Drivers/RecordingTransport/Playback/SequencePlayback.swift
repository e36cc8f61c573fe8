internal import SensorKit

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
