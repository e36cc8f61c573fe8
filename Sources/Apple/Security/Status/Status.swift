public import CoreFoundationTypes
import Protocol

extension Failure {
  /// What a function of Security answers when a request ends so: the numbers that Apple's answers
  /// with, since programs compare with those alone.
  var status: OSStatus {
    switch code {
    case .errSecParam, .errSecUserCanceled, .errSecNotAvailable, .errSecAuthFailed,
      .errSecDuplicateItem, .errSecItemNotFound, .errSecNoSuchAttr, .errSecInteractionNotAllowed,
      .errSecDecode, .errSecMissingEntitlement:
      code.number
    case .userCancel, .appCancel, .systemCancel: errSecUserCanceled
    case .notInteractive: errSecInteractionNotAllowed
    case .authenticationFailed, .userFallback, .passcodeNotSet, .biometryNotAvailable,
      .biometryNotEnrolled, .biometryLockout, .biometryNotPaired, .biometryDisconnected,
      .invalidContext, .timedOut, .passcodeDelayed, .appPasswordDelayed:
      errSecAuthFailed
    case .coreFailed, .coreVersionMismatch, .refusedByService, .busy, .untrustedPlugin,
      .driverNotFound, .deviceErased, .tpmNotFound, .tpmNotPermitted, .tpmBusy, .tpmLockout,
      .tpmReplaced, .tpmFailed:
      errSecNotAvailable
    case .storageFailed: errSecIO
    case .stateDamaged, .backupDamaged, .backupTooNew, .importUnreadable: errSecDecode
    case .unsupported: errSecUnimplemented
    case .invalidReason, .usage, .passcodeTooShort: errSecParam
    // What requests of applications do not end with, or never should.
    case .ambiguous, .engineFailed, .driverFailed, .enrolmentIncomplete, .duplicateFinger,
      .fingerNotFound, .tooManyFingers, .passcodeAlreadySet, .commandNotFound,
      .commandNotExecutable:
      errSecInternalComponent
    }
  }

  /// The failure as functions of Security give it to who wants to know more than a number.
  var statusError: NSError { error(of: status) }

  /// The failure as an error with another number than its own.
  func error(of status: OSStatus) -> NSError {
    var known: [String: Any] = [NSLocalizedDescriptionKey: message]
    if let hint { known[NSLocalizedRecoverySuggestionErrorKey] = hint }
    return NSError(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: known)
  }
}

/// Puts a failure where a caller wants it, who owns the error from here on.
/// - Returns: nil, for the function to return.
func refuse<Result>(
  _ failure: Failure, at place: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Result? {
  unsafe refuse(failure.statusError, at: place)
}

/// Puts an error where a caller wants it, who owns it from here on.
/// - Returns: nil, for the function to return.
func refuse<Result>(
  _ error: NSError, at place: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Result? {
  if let place = unsafe place { unsafe place.pointee = Unmanaged.passRetained(error) }
  return nil
}

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
/// - Returns: the sentence; if the number is none of Security's, one that names the number.
@discardableResult public func SecCopyErrorMessageString(
  _ status: OSStatus, _ reserved: UnsafeMutableRawPointer?
) -> CFString? {
  let sentence = StatusSentences.sentence(of: status).map(String.init)
  return (sentence ?? "The status \(status) is not one of Security's.") as NSString
}
