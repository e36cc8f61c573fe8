/// Why a recording cannot be played: a line of it, and the reason.
package struct RecordingError: Error, Equatable, Sendable {
  /// Counted from 1.
  package let line: Int
  /// A sentence without a full stop.
  package let reason: String
}
