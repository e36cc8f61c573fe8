import Synchronization

/// Names for contexts and sessions: never used twice while the core lives, so a late event cannot meet another's session.
enum Identifiers {
  private static let last = Atomic<UInt64>(0)

  /// A name that has not been used.
  static func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
