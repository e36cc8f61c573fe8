/// Why a tape cannot be played: a line of it, and the reason.
package struct TapeError: Error, Equatable, Sendable {
  /// Counted from 1.
  package let line: Int
  /// A sentence without the file's name and without a full stop.
  package let reason: String
}
