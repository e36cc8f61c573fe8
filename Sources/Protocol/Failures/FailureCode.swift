extension FailureCode {
  /// The exit code of a command that ends so (CLI.md, "Exit codes").
  package var exitCode: Int32 {
    switch self {
    case .authenticationFailed, .userCancel, .userFallback, .systemCancel, .biometryLockout,
      .appCancel, .errSecUserCanceled, .errSecAuthFailed, .timedOut, .enrolmentIncomplete,
      .passcodeDelayed, .appPasswordDelayed, .deviceErased, .tpmLockout:
      1
    case .passcodeNotSet, .biometryNotAvailable, .biometryNotEnrolled, .biometryNotPaired,
      .biometryDisconnected, .notInteractive, .errSecNotAvailable, .driverNotFound:
      2
    case .errSecDuplicateItem, .errSecItemNotFound, .duplicateFinger, .fingerNotFound,
      .tooManyFingers, .passcodeAlreadySet:
      3
    case .errSecInteractionNotAllowed, .errSecMissingEntitlement, .refusedByService: 4
    case .invalidContext, .errSecDecode, .busy, .driverFailed, .engineFailed, .coreFailed,
      .coreVersionMismatch, .stateDamaged, .storageFailed, .untrustedPlugin, .tpmNotFound,
      .tpmNotPermitted,
      .tpmBusy, .tpmReplaced, .tpmFailed, .backupDamaged, .backupTooNew:
      5
    case .errSecParam, .errSecNoSuchAttr, .invalidReason, .passcodeTooShort, .ambiguous,
      .unsupported, .usage, .importUnreadable:
      64
    // What shells end with (POSIX.1, XCU 2.8.2).
    case .commandNotExecutable: 126
    case .commandNotFound: 127
    }
  }

  /// The code with this number.
  package init?(number: Int32) {
    guard let code = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = code
  }
}
