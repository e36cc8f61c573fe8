import FingerprintMatching
import Protocol

/// A session that takes frames.
struct TouchSession: Sendable {
  enum Purpose: Sendable {
    /// `isStrict`: no match at a relaxed rate counts. `tellsScore`: the owner tests a finger.
    case match(isStrict: Bool, tellsScore: Bool)
    case enrollment(EnrollmentProgress)
    /// An enrollment that has ended. The next touch, or the commit, fails with this.
    case over(Failure)
  }

  let channel: UInt32
  /// The source of the channel's frames.
  let source: FrameSource
  let context: UInt64
  var purpose: Purpose
  var isAwaited = false
}

struct EnrollmentProgress: Sendable {
  /// How long the passcode that began it counts, in nanoseconds: fifteen minutes.
  static let longestDuration: UInt64 = 900 * 1_000_000_000
  /// Four times as many as a finger on a small sensor needs.
  static let mostFrames = 60

  /// In nanoseconds since boot.
  let beganAt: UInt64
  /// The name of the finger; empty: one is chosen.
  let name: String
  let isRelaxed: Bool
  /// The area of the largest frame, used or not, in mm²; decides the relaxed rate.
  var largestFrame = 0.0
  var enrollment = Enrollment()
  /// Used or not.
  var frames = 0
}

/// The channels that bring frames, and the sessions that wait for them. Knows no key and no finger.
struct TouchSessions {
  private var channels: [UInt32: FrameSource] = [:]
  private var sessions: [UInt64: TouchSession] = [:]

  private static let mostChannels = 256
  private static let mostSessions = 256

  // MARK: Channels

  mutating func openChannel(_ channel: UInt32, from source: FrameSource) throws(Failure) {
    guard channels[channel] == nil else {
      throw Failure(.errSecParam, "the channel \(channel) is open already")
    }
    guard channels.count < Self.mostChannels else {
      throw Failure(.busy, "\(Self.mostChannels) channels are open")
    }
    channels[channel] = source
  }

  mutating func closeChannel(_ channel: UInt32) {
    channels[channel] = nil
    sessions = sessions.filter { $0.value.channel != channel }
  }

  /// Checks that a session can begin.
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

  /// Begins a session after ``requireFree(_:on:)``.
  mutating func begin(_ number: UInt64, _ session: TouchSession) { sessions[number] = session }

  func session(_ number: UInt64) -> TouchSession? { sessions[number] }

  mutating func update(_ number: UInt64, _ progress: EnrollmentProgress) {
    sessions[number]?.purpose = .enrollment(progress)
  }

  var numbers: [UInt64] { sessions.keys.sorted() }

  /// Ends a session, if there is one.
  mutating func end(_ number: UInt64) { sessions[number] = nil }

  mutating func endAll() { sessions = [:] }

  /// Ends the sessions of a context.
  mutating func endSessions(for context: UInt64) {
    sessions = sessions.filter { $0.value.context != context }
  }

  mutating func endEnrollments(_ reason: Failure) {
    for (number, session) in sessions {
      guard case .enrollment = session.purpose else { continue }
      sessions[number]?.purpose = .over(reason)
    }
  }

  // MARK: Touches

  /// Asks for the next frame of a session.
  mutating func awaitTouch(_ number: UInt64) throws(Failure) {
    guard let session = sessions[number] else {
      throw Failure(.errSecParam, "no session \(number) is under way")
    }
    if case .over(let failure) = session.purpose { throw failure }
    sessions[number]?.isAwaited = true
  }

  /// The session that something arrived for, if it awaits a touch. One request gives one frame;
  /// anything else that a driver sends is ignored.
  mutating func takeAwaited(_ number: UInt64, on channel: UInt32) -> TouchSession? {
    guard let session = sessions[number], session.channel == channel, session.isAwaited else {
      return nil
    }
    sessions[number]?.isAwaited = false
    return session
  }

  /// The sessions of a dead channel, which await nothing any more.
  mutating func takeAll(on channel: UInt32) -> [UInt64] {
    let numbers = sessions.keys.filter { sessions[$0]?.channel == channel }.sorted()
    for number in numbers { sessions[number]?.isAwaited = false }
    return numbers
  }
}
