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
