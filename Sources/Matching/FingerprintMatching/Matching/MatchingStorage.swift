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

extension Array {
  /// Makes all elements the same, in the storage there is if it is large enough.
  ///
  /// - Parameters:
  ///   - value: The elements.
  ///   - count: How many there are afterwards.
  ///   - room: How many there is room for at least if storage has to be allocated.
  mutating func fill(with value: Element, count: Int, room: Int = 0) {
    removeAll(keepingCapacity: true)
    reserveCapacity(Swift.max(count, room))
    for _ in 0..<count { append(value) }
  }

  /// Overwrites all of the storage, also where elements were removed, and removes the elements.
  mutating func wipe(with blank: Element) {
    fill(with: blank, count: capacity)
    removeAll(keepingCapacity: true)
  }
}
