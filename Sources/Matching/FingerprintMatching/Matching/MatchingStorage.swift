/// What ``PrintMatcher`` works with while it compares.
///
/// It grows to what the largest comparison needs and is used again by the next, so that comparing
/// allocates nothing once it has seen the like. Holds traces of the prints that were compared until
/// it is wiped. For one thread at a time.
package struct MatchingStorage: Sendable {
  var minutiae = MinutiaSearch()
  var ridges = RidgeSearch()
  var confirmation = RidgeConfirmation()

  /// Storage without anything allocated.
  package init() {}

  /// Overwrites what is left of the prints that were compared; what is allocated is kept.
  package mutating func wipe() {
    minutiae.wipe()
    ridges.wipe()
    confirmation.wipe()
  }
}
