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
