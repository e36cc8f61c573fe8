/// Why a recording cannot be played: a line of it, and the reason.
struct RecordingError: Error, Equatable, Sendable {
  /// Counted from 1.
  let line: Int
  /// A sentence without a full stop.
  let reason: String
}
