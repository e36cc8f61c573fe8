import Protocol

/// Names of fingers on the command line.
enum FingerName {
  /// A name, where it has a length that a finger's can have.
  /// - Throws: `usage`, naming the limit.
  static func checked(_ name: String) throws(Failure) -> String {
    guard name.count <= Finger.mostNameCharacters, name.utf8.count <= Finger.longestName else {
      throw Failure(
        .usage,
        """
        The name of a finger has at most \(Finger.mostNameCharacters) characters, and \
        \(Finger.longestName) bytes
        """)
    }
    return name
  }
}
