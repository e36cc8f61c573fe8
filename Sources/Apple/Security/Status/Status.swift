public import CoreFoundationTypes
import Protocol

extension Failure {
  /// The status of a function of Security for this failure. Only Apple's numbers are used, since
  /// programs compare with those.
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
    // Failures that requests of applications do not, or should not, have.
    case .ambiguous, .engineFailed, .driverFailed, .enrolmentIncomplete, .duplicateFinger,
      .fingerNotFound, .tooManyFingers, .passcodeAlreadySet, .commandNotFound,
      .commandNotExecutable:
      errSecInternalComponent
    }
  }

  /// The error that functions of Security give beside a status.
  var statusError: NSError { error(of: status) }

  /// The failure as an error with another number.
  func error(of status: OSStatus) -> NSError {
    var known: [String: Any] = [NSLocalizedDescriptionKey: message]
    if let hint { known[NSLocalizedRecoverySuggestionErrorKey] = hint }
    return NSError(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: known)
  }
}

/// Stores a failure for the caller, who owns the error.
/// - Returns: nil, for the function to return.
func refuse<Result>(
  _ failure: Failure, at place: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Result? {
  unsafe refuse(failure.statusError, at: place)
}

/// Stores an error for the caller, who owns it.
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

/// The meaning of a status in a sentence for people. A number that is not one of Security's gives a
/// sentence with the number. `reserved` is not used.
@discardableResult public func SecCopyErrorMessageString(
  _ status: OSStatus, _ reserved: UnsafeMutableRawPointer?
) -> CFString? {
  let sentence = StatusSentences.sentence(of: status).map(String.init)
  return (sentence ?? "The status \(status) is not one of Security's.") as NSString
}
