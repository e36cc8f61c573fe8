import FingerprintMatching
import Protocol

/// A session that takes frames.
struct TouchSession: Sendable {
  enum Purpose: Sendable {
    /// `isStrict`: no match at a relaxed rate counts. `tellsScore`: the owner tests a finger.
    case match(isStrict: Bool, tellsScore: Bool)
    case enrollment(EnrollmentProgress)
    case chipEnrollment(ChipEnrollment)
    case chipWork(ChipWorkProgress)
    /// An enrollment that has ended. The next touch, or the commit, fails with this.
    case over(Failure)

    var isEnrollment: Bool {
      switch self {
      case .enrollment, .chipEnrollment: true
      case .match, .chipWork, .over: false
      }
    }
  }

  let channel: UInt32
  /// The source of the channel's frames.
  let source: FrameSource
  /// The sensor, if it compares prints itself.
  var chip: ChipDevice?
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

/// What the touches of a session have shown so far, as of one prompt.
struct TouchPrompt: Sendable {
  /// How long touches add up, in nanoseconds: a minute.
  static let longestDuration: UInt64 = 60 * 1_000_000_000

  /// In nanoseconds since boot.
  let beganAt: UInt64
  var evidence = PromptEvidence()
}

/// The channels that bring frames, the sessions that wait for them, and their prompts. Knows no key.
struct TouchSessions {
  struct Channel: Sendable {
    let source: FrameSource
    let chip: ChipDevice?
  }

  private var channels: [UInt32: Channel] = [:]
  /// A prompt ends with its session.
  private var sessions: [UInt64: TouchSession] = [:] {
    didSet { for number in prompts.keys where sessions[number] == nil { forgetPrompt(number) } }
  }
  /// By session.
  private var prompts: [UInt64: TouchPrompt] = [:]

  private static let mostChannels = 256
  private static let mostSessions = 256

  // MARK: Channels

  mutating func openChannel(_ request: OpenChannel) throws(Failure) {
    let channel = request.channel
    guard channels[channel] == nil else {
      throw Failure(.errSecParam, "the channel \(channel) is open already")
    }
    guard channels.count < Self.mostChannels else {
      throw Failure(.busy, "\(Self.mostChannels) channels are open")
    }
    channels[channel] = Channel(source: request.source, chip: request.chip)
  }

  mutating func closeChannel(_ channel: UInt32) {
    channels[channel] = nil
    sessions = sessions.filter { $0.value.channel != channel }
  }

  /// Checks that a session can begin.
  func requireFree(_ session: UInt64, on channel: UInt32) throws(Failure) -> Channel {
    guard let channel = channels[channel] else {
      throw Failure(.errSecParam, "the enclave does not know the channel")
    }
    guard sessions[session] == nil else {
      throw Failure(.errSecParam, "the session \(session) is under way already")
    }
    guard sessions.count < Self.mostSessions else {
      throw Failure(.busy, "\(Self.mostSessions) sessions are under way")
    }
    return channel
  }

  // MARK: Sessions

  /// Begins a session after ``requireFree(_:on:)``.
  mutating func begin(_ number: UInt64, _ session: TouchSession) { sessions[number] = session }

  func session(_ number: UInt64) -> TouchSession? { sessions[number] }

  mutating func update(_ number: UInt64, _ purpose: TouchSession.Purpose) {
    sessions[number]?.purpose = purpose
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
      guard session.purpose.isEnrollment else { continue }
      sessions[number]?.purpose = .over(reason)
    }
  }

  // MARK: Prompts

  /// Lets the touches of a session add up from now on.
  mutating func beginPrompt(_ number: UInt64, at time: UInt64) {
    prompts[number] = TouchPrompt(beganAt: time)
  }

  /// The score of a touch with each finger: alone, or if that is higher together with the earlier
  /// touches of its prompt.
  mutating func scores(
    adding touch: [UInt32: TouchEvidence], to number: UInt64, at time: UInt64
  ) -> [UInt32: Double] {
    for (number, prompt) in prompts where time - prompt.beganAt > TouchPrompt.longestDuration {
      forgetPrompt(number)
    }
    return prompts[number]?.evidence.add(touch) ?? touch.mapValues(\.score)
  }

  /// Wipes what the touches of all sessions have shown. Later ones stand alone.
  mutating func forgetPrompts() { for number in prompts.keys { forgetPrompt(number) } }

  private mutating func forgetPrompt(_ number: UInt64) {
    prompts[number]?.evidence.wipe()
    prompts[number] = nil
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
