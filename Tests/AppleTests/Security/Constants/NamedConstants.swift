import CoreFoundationTypes

/// What this module calls its constants, and what they are.
enum NamedConstants {
  /// Every status code by its name.
  static var statuses: [(name: String, value: OSStatus)] {
    firstStatuses.map { ($0.key, $0.value) } + lastStatuses.map { ($0.key, $0.value) }
  }
}
