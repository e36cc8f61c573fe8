package import Protocol

extension FoundGuarded {
  /// What the next change of the fingers closes for good.
  package var closedByChange: [GuardedEntry] {
    entries.filter { !$0.isLost && $0.accessControl.requiresCurrentSet }
  }
}

extension [GuardedEntry] {
  /// What those are called that the caller may know of.
  package var names: [String] { map(\.name).filter { !$0.isEmpty } }

  /// How many are of other programs, or cannot be read at the moment.
  package var unnamed: Int { count - names.count }
}
