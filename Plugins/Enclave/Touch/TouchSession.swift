import FingerprintMatching
import Protocol

/// What the frames of one session are for.
struct TouchSession: Sendable {
  /// A match for a context, or the touches of a finger to be enrolled.
  enum Purpose: Sendable {
    /// `isStrict`: a match at a relaxed rate does not count. `tellsScore`: the owner tests a
    /// finger.
    case match(isStrict: Bool, tellsScore: Bool)
    case enrollment(EnrollmentProgress)
    /// An enrollment that what came meanwhile ended; the next touch, or the commit, is told.
    case over(Failure)
  }

  /// The channel whose frames belong to it.
  let channel: UInt32
  /// What is behind that.
  let source: FrameSource
  /// The number of the context it works for.
  let context: UInt64
  /// What for.
  var purpose: Purpose
  /// Whether a touch was asked for that has not arrived.
  var isAwaited = false

  init(channel: UInt32, source: FrameSource, context: UInt64, purpose: Purpose) {
    self.channel = channel
    self.source = source
    self.context = context
    self.purpose = purpose
  }
}

/// An enrollment under way.
struct EnrollmentProgress: Sendable {
  /// How long the passcode that it began with lasts, in nanoseconds: fifteen minutes.
  static let longestDuration: UInt64 = 900 * 1_000_000_000
  /// More frames are not taken: four times as many as a finger on a small sensor needs.
  static let mostFrames = 60

  /// When it began, in nanoseconds since boot.
  let beganAt: UInt64
  /// The name the finger will have; empty: one is chosen.
  let name: String
  /// Whether the owner wants it matched at a relaxed rate.
  let isRelaxed: Bool
  /// The area of the largest frame, used or not, in mm²; it decides which rate that is.
  var largestFrame = 0.0
  /// The touches taken.
  var enrollment = Enrollment()
  /// How many frames came for it, used or not.
  var frames = 0
}
