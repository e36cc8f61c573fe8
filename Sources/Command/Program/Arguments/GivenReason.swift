import Protocol

/// What `--reason` says.
enum GivenReason {
  /// Refuses one that nobody could read; nil, where none was given, is none of those.
  /// - Throws: `invalidReason`.
  static func check(_ reason: String?) throws(Failure) {
    guard let reason, !reason.hasVisibleCharacters else { return }
    throw .invalidReason(hint: "Say what the owner permits: --reason TEXT")
  }
}
