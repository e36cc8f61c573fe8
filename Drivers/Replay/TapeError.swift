/// Why a tape cannot be played: a line of it, and the reason.
struct TapeError: Error, Equatable, Sendable {
  /// Counted from 1.
  let line: Int
  /// A sentence without the file's name and without a full stop.
  let reason: String
}
