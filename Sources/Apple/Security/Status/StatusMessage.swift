public import CoreFoundationTypes

/// The sentences that say what numbers mean.
enum StatusMessage {
  /// What is said of this number; nil where it is none of Security's.
  static func text(of status: OSStatus) -> String? {
    tables.lazy.compactMap { $0[status] }.first
  }

  /// By how often they are asked for.
  private static let tables = [
    ofKeychains, ofCertificates, ofKeys, ofServices, ofModules, ofAuthorities, ofDatabases,
    ofTimestamps,
  ]
}

/// What a status means, in a sentence for people.
/// - Parameters:
///   - status: any number.
///   - reserved: nil; nothing else is looked at either.
/// - Returns: the sentence; where the number is none of Security's, one that names the number.
@discardableResult public func SecCopyErrorMessageString(
  _ status: OSStatus, _ reserved: UnsafeMutableRawPointer?
) -> CFString? {
  (StatusMessage.text(of: status) ?? "The status \(status) is not one of Security's.") as NSString
}
