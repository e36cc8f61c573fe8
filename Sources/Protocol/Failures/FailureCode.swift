/// Every way in which a request can fail, with Apple's name and number where Apple has one.
///
/// Names, numbers and exit codes are part of the command-line contract. `LAError` and `errSec…`
/// numbers are Apple's; −7001 and below are ours.
public enum FailureCode: String, CaseIterable, Sendable {
  // LAError
  case authenticationFailed
  case userCancel
  case userFallback
  case systemCancel
  case passcodeNotSet
  case biometryNotAvailable
  case biometryNotEnrolled
  case biometryLockout
  case appCancel
  case invalidContext
  case biometryNotPaired
  case biometryDisconnected
  case notInteractive

  // OSStatus of the Security framework
  case errSecParam
  case errSecUserCanceled
  case errSecNotAvailable
  case errSecAuthFailed
  case errSecDuplicateItem
  case errSecItemNotFound
  case errSecNoSuchAttr
  case errSecInteractionNotAllowed
  case errSecDecode
  case errSecMissingEntitlement

  // ours
  case timedOut
  case invalidReason
  case enrolmentIncomplete
  case duplicateFinger
  case fingerNotFound
  case tooManyFingers
  case passcodeAlreadySet
  case ambiguous
  case unsupported
  case usage
  case busy
  case refusedByService
  case driverNotFound
  case driverFailed
  case engineFailed
  case coreFailed
  case coreVersionMismatch
  case stateDamaged
  case storageFailed
  case untrustedPlugin
  case passcodeDelayed
  case passcodeTooShort
  case appPasswordDelayed
  case deviceErased
  case backupDamaged
  case backupTooNew
  case importUnreadable
  case commandNotFound
  case commandNotExecutable
  case tpmNotFound
  case tpmNotPermitted
  case tpmBusy
  case tpmLockout
  case tpmReplaced
  case tpmFailed

  /// The number scripts and applications compare with.
  public var number: Int32 {
    switch self {
    case .authenticationFailed: -1
    case .userCancel: -2
    case .userFallback: -3
    case .systemCancel: -4
    case .passcodeNotSet: -5
    case .biometryNotAvailable: -6
    case .biometryNotEnrolled: -7
    case .biometryLockout: -8
    case .appCancel: -9
    case .invalidContext: -10
    case .biometryNotPaired: -12
    case .biometryDisconnected: -13
    case .notInteractive: -1004
    case .errSecParam: -50
    case .errSecUserCanceled: -128
    case .errSecNotAvailable: -25291
    case .errSecAuthFailed: -25293
    case .errSecDuplicateItem: -25299
    case .errSecItemNotFound: -25300
    case .errSecNoSuchAttr: -25303
    case .errSecInteractionNotAllowed: -25308
    case .errSecDecode: -26275
    case .errSecMissingEntitlement: -34018
    case .timedOut: -7001
    case .invalidReason: -7002
    case .enrolmentIncomplete: -7003
    case .duplicateFinger: -7004
    case .fingerNotFound: -7005
    case .tooManyFingers: -7006
    case .passcodeAlreadySet: -7007
    case .ambiguous: -7008
    case .unsupported: -7009
    case .usage: -7010
    case .busy: -7011
    case .refusedByService: -7012
    case .driverNotFound: -7013
    case .driverFailed: -7014
    case .engineFailed: -7015
    case .coreFailed: -7016
    case .coreVersionMismatch: -7017
    case .stateDamaged: -7018
    case .storageFailed: -7019
    case .untrustedPlugin: -7020
    case .passcodeDelayed: -7021
    case .commandNotFound: -7022
    case .commandNotExecutable: -7023
    case .tpmNotFound: -7024
    case .tpmNotPermitted: -7025
    case .tpmBusy: -7026
    case .tpmLockout: -7027
    case .tpmReplaced: -7028
    case .tpmFailed: -7029
    case .passcodeTooShort: -7031
    case .appPasswordDelayed: -7032
    case .deviceErased: -7034
    case .backupDamaged: -7035
    case .backupTooNew: -7036
    case .importUnreadable: -7037
    }
  }

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
