import Protocol

/// The passcode was right.
struct PasscodeEvidence: Sendable {
  /// Nanoseconds since boot.
  let time: UInt64
  /// What giving the passcode opened and removing a finger needs; nil in a keybag that has no
  /// generations.
  let generationsKey: HeldKey?
}

/// A print matched: which finger, of which set, when.
struct MatchEvidence: Equatable, Sendable {
  /// The finger's identifier.
  let finger: UInt32
  /// The domain state at that moment.
  let domainState: [UInt8]
  /// Nanoseconds since boot.
  let time: UInt64
  /// Whether it reached the strict threshold; if not, it is of the weaker kind that items can
  /// refuse.
  let isStrict: Bool
}

/// An application password was given; whose it is shows when something is opened with it.
struct AppPasswordEvidence: Sendable {
  /// Nanoseconds since boot.
  let time: UInt64
  let password: HeldSecret
}

/// What a context has proved, and what enters the keys with it.
struct ProvedEvidence: Sendable {
  let set: EvidenceSet
  /// There where ``set`` says so.
  let appPassword: HeldSecret?
}
