import Protocol

/// What the owner turned down lately. It counts whatever program asks, since a program can have
/// many names: nobody is worn down until they consent.
///
/// A value without clocks: times are nanoseconds since boot.
struct PromptRefusals: Sendable {
  /// What a Cancel holds for.
  enum Subject: Equatable, Sendable {
    /// Unlocking was cancelled, so all prompts.
    case everything
    /// An item or a key, by its ``EvidenceNeeded/identity``.
    case item([UInt8])
  }

  /// How long the same is not asked for after a Cancel.
  static let pauseNanoseconds: UInt64 = 300_000_000_000
  /// Prompts that may be turned down or time out within ``windowNanoseconds``.
  static let mostInWindow = 5
  static let windowNanoseconds: UInt64 = 60_000_000_000
  private static let mostCancels = 64

  /// The oldest first.
  private var cancels: [(subject: Subject, time: UInt64)] = []
  /// Of the last minute, the oldest first.
  private var turnedDown: [UInt64] = []

  init() {}

  mutating func noteCancel(of subject: Subject, at now: UInt64) {
    cancels.append((subject, now))
    if cancels.count > Self.mostCancels { cancels.removeFirst() }
  }

  mutating func noteTurnedDown(at now: UInt64) {
    turnedDown.append(now)
    if turnedDown.count > Self.mostInWindow { turnedDown.removeFirst() }
  }

  /// The owner consented to something, so they are not being worn down.
  mutating func noteProof() { turnedDown = [] }

  /// The owner unlocked the device.
  mutating func noteUnlock() { self = PromptRefusals() }

  /// Why nobody is asked about something that was cancelled; nil if they may be. A subject of nil
  /// is neither an item nor a key.
  mutating func objection(to subject: Subject?, at now: UInt64) -> Failure? {
    cancels.removeAll { $0.time + Self.pauseNanoseconds <= now }
    let last = cancels.last { $0.subject == .everything || $0.subject == subject }
    guard let last else { return nil }
    let isUnlocking = last.subject == .everything
    return Failure(
      // As Apple's modules have it: their items answer as if nobody may be asked.
      subject == nil ? .notInteractive : .errSecInteractionNotAllowed,
      isUnlocking
        ? "the owner cancelled the last prompt to unlock"
        : "the owner cancelled the last prompt for this item or key",
      hint: "wait \(Self.seconds(until: last.time + Self.pauseNanoseconds, from: now)) s, or "
        + (isUnlocking ? "unlock the device: authcore unlock" : "lock the device and unlock it"))
  }

  /// Why nobody is asked about anything for a while; nil if they may be.
  mutating func rateObjection(at now: UInt64) -> Failure? {
    turnedDown.removeAll { $0 + Self.windowNanoseconds <= now }
    guard turnedDown.count >= Self.mostInWindow, let oldest = turnedDown.first else { return nil }
    return Failure(
      .notInteractive, "prompts were turned down too often within a minute",
      hint: "wait \(Self.seconds(until: oldest + Self.windowNanoseconds, from: now)) s")
  }

  private static func seconds(until end: UInt64, from now: UInt64) -> UInt64 {
    (end - now + 999_999_999) / 1_000_000_000
  }
}
