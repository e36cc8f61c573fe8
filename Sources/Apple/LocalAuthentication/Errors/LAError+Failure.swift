import Protocol

extension LAError {
  /// Whose numbers the underlying errors have: −7001 and below are of this system, others Apple's.
  static let failureDomain = "authcore"

  /// What an application is told of a failure.
  init(_ failure: Failure) {
    let code = Code(failure.code)
    var information: [String: Any] = [NSLocalizedDescriptionKey: failure.message]
    information[NSLocalizedRecoverySuggestionErrorKey] = failure.hint
    if code.rawValue != Int(failure.code.number) {
      information[NSUnderlyingErrorKey] = NSError(
        domain: Self.failureDomain, code: Int(failure.code.number),
        userInfo: [NSLocalizedDescriptionKey: "\(failure.code): \(failure.message)"])
    }
    self.init(
      _nsError: NSError(domain: LAErrorDomain, code: code.rawValue, userInfo: information))
  }
}

extension LAError.Code {
  /// Apple's code for a failure of this system: its own where Apple has one, else what an
  /// application can do about it.
  init(_ code: FailureCode) {
    self =
      switch code {
      case .authenticationFailed: .authenticationFailed
      case .userCancel: .userCancel
      case .userFallback: .userFallback
      case .systemCancel: .systemCancel
      case .passcodeNotSet: .passcodeNotSet
      case .biometryNotAvailable: .biometryNotAvailable
      case .biometryNotEnrolled: .biometryNotEnrolled
      case .biometryLockout: .biometryLockout
      case .appCancel: .appCancel
      case .invalidContext: .invalidContext
      case .biometryNotPaired: .biometryNotPaired
      case .biometryDisconnected: .biometryDisconnected
      case .notInteractive: .notInteractive

      // The owner, or who claimed to be the owner, gave something that is not right.
      case .errSecAuthFailed, .passcodeDelayed, .appPasswordDelayed, .tpmLockout:
        .authenticationFailed
      case .errSecUserCanceled: .userCancel
      // Erasing takes the passcode with it.
      case .deviceErased: .passcodeNotSet
      case .driverNotFound, .driverFailed, .untrustedPlugin, .errSecNotAvailable:
        .biometryNotAvailable
      // Nobody was asked: nobody could be, or the request was none that anybody is asked by.
      case .errSecInteractionNotAllowed, .errSecMissingEntitlement, .refusedByService,
        .invalidReason, .usage, .unsupported, .errSecParam:
        .notInteractive
      // The system gave up, whatever the owner did.
      case .timedOut, .busy, .engineFailed, .coreFailed, .coreVersionMismatch, .stateDamaged,
        .storageFailed, .tpmNotFound, .tpmNotPermitted, .tpmBusy, .tpmReplaced, .tpmFailed:
        .systemCancel
      // Of items, fingers, backups and commands: an evaluation ends with none of them.
      case .errSecDuplicateItem, .errSecItemNotFound, .errSecNoSuchAttr, .errSecDecode,
        .enrolmentIncomplete, .duplicateFinger, .fingerNotFound, .tooManyFingers,
        .passcodeAlreadySet, .ambiguous, .passcodeTooShort, .backupDamaged, .backupTooNew,
        .importUnreadable, .commandNotFound, .commandNotExecutable:
        .systemCancel
      }
  }
}
