extension Finger {
  /// The most characters of a name.
  package static let mostNameCharacters = 64

  /// The most bytes of a name, in UTF-8.
  package static let longestName = 256
}
