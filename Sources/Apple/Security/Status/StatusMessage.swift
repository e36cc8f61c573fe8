public import CoreFoundationTypes

extension StatusSentences {
  /// Nil if the number is not one of Security's.
  static func sentence(of status: OSStatus) -> Substring? {
    let start = "\(status) "
    return table.split(separator: "\n").first { $0.hasPrefix(start) }?.dropFirst(start.count)
  }
}

/// What a status means, in a sentence for people.
/// - Parameters:
///   - status: any number.
///   - reserved: nil; nothing else is looked at either.
/// - Returns: the sentence; where the number is none of Security's, one that names the number.
@discardableResult public func SecCopyErrorMessageString(
  _ status: OSStatus, _ reserved: UnsafeMutableRawPointer?
) -> CFString? {
  let sentence = StatusSentences.sentence(of: status).map(String.init)
  return (sentence ?? "The status \(status) is not one of Security's.") as NSString
}
