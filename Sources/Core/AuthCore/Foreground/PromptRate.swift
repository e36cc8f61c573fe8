import Protocol

/// How often applications were turned down within the last minute. One that keeps asking is not
/// shown for a while, so that people are not worn down until they consent.
///
/// A value without clocks: times are nanoseconds since boot.
struct PromptRate: Sendable {
  /// Prompts of one application that may be turned down within ``windowNanoseconds``.
  static let mostOfOne = 5
  /// Those of all applications of a user: one program can have many names.
  static let mostOfAll = 20
  static let windowNanoseconds: UInt64 = 60_000_000_000

  private struct Refusal: Sendable {
    let application: String
    let time: UInt64
  }

  /// Of the last minute, the oldest first; at most ``mostOfAll``.
  private var refusals: [Refusal] = []

  init() {}

  mutating func noteRefusal(of application: String, at now: UInt64) {
    forget(before: now)
    refusals.append(Refusal(application: application, time: now))
    if refusals.count > Self.mostOfAll { refusals.removeFirst() }
  }

  /// The owner consented, so earlier refusals do not count.
  mutating func noteProof(for application: String) {
    refusals.removeAll { Self.isSame($0.application, application) }
  }

  /// Nanoseconds until an application may ask; nil if it may now.
  mutating func wait(of application: String, at now: UInt64) -> UInt64? {
    forget(before: now)
    let own = refusals.filter { Self.isSame($0.application, application) }
    let waits = [(own, Self.mostOfOne), (refusals, Self.mostOfAll)].compactMap { list, most in
      list.count < most ? nil : list[list.count - most].time + Self.windowNanoseconds - now
    }
    return waits.max()
  }

  private mutating func forget(before now: UInt64) {
    refusals.removeAll { $0.time + Self.windowNanoseconds <= now }
  }

  /// Names are compared by their bytes.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8)
  }
}

extension PromptRate {
  /// Why an application may not ask now; nil if it may.
  mutating func objection(to application: String, at now: UInt64) -> Failure? {
    guard let nanoseconds = wait(of: application, at: now) else { return nil }
    let seconds = (nanoseconds + 999_999_999) / 1_000_000_000
    return Failure(
      .notInteractive, "prompts were turned down too often within a minute",
      hint: "it may ask again in \(seconds) s")
  }
}

/// The programs whose prompts to unlock the device the owner cancelled. They are not shown again
/// for a while, so that a program in the background gets no second chance. Typed commands are
/// exempt.
///
/// A value without clocks: times are nanoseconds since boot.
struct UnlockPause: Sendable {
  static let nanoseconds: UInt64 = 300_000_000_000
  private static let most = 64

  private var cancellations: [(program: String, time: UInt64)] = []

  mutating func note(_ program: String, at now: UInt64) {
    cancellations.append((program, now))
    if cancellations.count > Self.most { cancellations.removeFirst() }
  }

  /// Why a program's prompt is not shown; nil if it may be.
  mutating func objection(to program: String, at now: UInt64) -> Failure? {
    cancellations.removeAll { $0.time + Self.nanoseconds <= now }
    // Names are compared by their bytes.
    let last = cancellations.last { $0.program.utf8.elementsEqual(program.utf8) }
    guard let last else { return nil }
    let seconds = (last.time + Self.nanoseconds - now + 999_999_999) / 1_000_000_000
    return Failure(
      .errSecInteractionNotAllowed, "the owner cancelled this program's last prompt to unlock",
      hint: "it may ask again in \(seconds) s; or unlock the device: authcore unlock")
  }
}
