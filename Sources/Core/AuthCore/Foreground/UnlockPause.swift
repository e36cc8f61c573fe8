import Protocol

/// Which programs had their prompts to unlock the device cancelled by the owner. One of those is not
/// shown again for a while, so that a program which asks in the background gets no second chance at a
/// person who said no. A command that is typed is not among them.
///
/// A value without clocks: times are nanoseconds since boot.
struct UnlockPause: Sendable {
  /// Five minutes.
  static let nanoseconds: UInt64 = 300_000_000_000
  /// The oldest is forgotten beyond this.
  private static let most = 64

  private var cancellations: [(program: String, time: UInt64)] = []

  /// The owner pressed Cancel.
  mutating func note(_ program: String, at now: UInt64) {
    cancellations.append((program, now))
    if cancellations.count > Self.most { cancellations.removeFirst() }
  }

  /// Why a program's prompt is not shown; nil: it is.
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
