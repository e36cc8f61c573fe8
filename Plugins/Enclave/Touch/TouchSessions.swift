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

/// The channels by which frames come, and the sessions that wait for them. Knows no key and no
/// finger.
struct TouchSessions {
  /// What is behind each channel.
  private var channels: [UInt32: FrameSource] = [:]
  private var sessions: [UInt64: TouchSession] = [:]

  private static let mostChannels = 256
  private static let mostSessions = 256

  // MARK: Channels

  /// Says what is behind a channel.
  mutating func openChannel(_ channel: UInt32, from source: FrameSource) throws(Failure) {
    guard channels[channel] == nil else {
      throw Failure(.errSecParam, "the channel \(channel) is open already")
    }
    guard channels.count < Self.mostChannels else {
      throw Failure(.busy, "\(Self.mostChannels) channels are open")
    }
    channels[channel] = source
  }

  /// Forgets a channel and its sessions.
  mutating func closeChannel(_ channel: UInt32) {
    channels[channel] = nil
    sessions = sessions.filter { $0.value.channel != channel }
  }

  /// Checks that a session can begin; says what is behind its channel.
  func requireFree(_ session: UInt64, on channel: UInt32) throws(Failure) -> FrameSource {
    guard let source = channels[channel] else {
      throw Failure(.errSecParam, "the enclave knows no channel \(channel)")
    }
    guard sessions[session] == nil else {
      throw Failure(.errSecParam, "the session \(session) is under way already")
    }
    guard sessions.count < Self.mostSessions else {
      throw Failure(.busy, "\(Self.mostSessions) sessions are under way")
    }
    return source
  }

  // MARK: Sessions

  /// Begins a session for which ``requireFree(_:on:)`` has been asked.
  mutating func begin(_ number: UInt64, _ session: TouchSession) { sessions[number] = session }

  /// The session of a number.
  func session(_ number: UInt64) -> TouchSession? { sessions[number] }

  /// An enrollment has come further.
  mutating func update(_ number: UInt64, _ progress: EnrollmentProgress) {
    sessions[number]?.purpose = .enrollment(progress)
  }

  /// The numbers of all sessions.
  var numbers: [UInt64] { sessions.keys.sorted() }

  /// Ends a session; none is fine.
  mutating func end(_ number: UInt64) { sessions[number] = nil }

  /// Ends all sessions.
  mutating func endAll() { sessions = [:] }

  /// Ends what works for a context.
  mutating func endSessions(for context: UInt64) {
    sessions = sessions.filter { $0.value.context != context }
  }

  /// Ends every enrollment; the next request for one fails with the reason.
  mutating func endEnrollments(_ reason: Failure) {
    for (number, session) in sessions {
      guard case .enrollment = session.purpose else { continue }
      sessions[number]?.purpose = .over(reason)
    }
  }

  // MARK: Touches

  /// The next frame of a session is one that was asked for.
  mutating func awaitTouch(_ number: UInt64) throws(Failure) {
    guard let session = sessions[number] else {
      throw Failure(.errSecParam, "no session \(number) is under way")
    }
    if case .over(let failure) = session.purpose { throw failure }
    sessions[number]?.isAwaited = true
  }

  /// The session that something arrived for, if a touch is awaited there: one request gives one
  /// frame, and what else a driver sends is not looked at.
  mutating func takeAwaited(_ number: UInt64, on channel: UInt32) -> TouchSession? {
    guard let session = sessions[number], session.channel == channel, session.isAwaited else {
      return nil
    }
    sessions[number]?.isAwaited = false
    return session
  }

  /// A channel is dead: the numbers of the sessions on it, none of which awaits anything any more.
  mutating func takeAll(on channel: UInt32) -> [UInt64] {
    let numbers = sessions.keys.filter { sessions[$0]?.channel == channel }.sorted()
    for number in numbers { sessions[number]?.isAwaited = false }
    return numbers
  }
}
