import Protocol

/// How often applications have been turned down a moment ago. One that is asks on is not shown again
/// for a while: nobody gives in to be left in peace.
///
/// A value without clocks: times are nanoseconds since boot.
struct PromptRate: Sendable {
  /// Prompts of one application that may be turned down within ``windowNanoseconds``.
  static let mostOfOne = 5
  /// Those of all applications of a user together: one program can have many names.
  static let mostOfAll = 20
  /// A minute.
  static let windowNanoseconds: UInt64 = 60_000_000_000

  private struct Refusal: Sendable {
    let application: String
    let time: UInt64
  }

  /// Oldest first, of the last minute; never more than ``mostOfAll``.
  private var refusals: [Refusal] = []

  /// Nobody has been turned down.
  init() {}

  /// A prompt was cancelled, or not answered in time.
  mutating func noteRefusal(of application: String, at now: UInt64) {
    forget(before: now)
    refusals.append(Refusal(application: application, time: now))
    if refusals.count > Self.mostOfAll { refusals.removeFirst() }
  }

  /// Somebody was let in: whoever is at it is the owner, and means what is asked.
  mutating func noteProof(for application: String) {
    refusals.removeAll { Self.isSame($0.application, application) }
  }

  /// Nanoseconds until an application may ask; nil: it may at this moment.
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
  /// Why an application may not ask now; nil: it may.
  mutating func objection(to application: String, at now: UInt64) -> Failure? {
    guard let nanoseconds = wait(of: application, at: now) else { return nil }
    let seconds = (nanoseconds + 999_999_999) / 1_000_000_000
    return Failure(
      .notInteractive, "prompts were turned down too often within a minute",
      hint: "it may ask again in \(seconds) s")
  }
}
