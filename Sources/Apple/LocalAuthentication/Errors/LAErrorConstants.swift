// The codes of LAError by the names that C and early Swift have for them (LAPublicDefines.h).

/// ``LAError/Code/authenticationFailed``
public let kLAErrorAuthenticationFailed = Int32(LAError.Code.authenticationFailed.rawValue)
/// ``LAError/Code/userCancel``
public let kLAErrorUserCancel = Int32(LAError.Code.userCancel.rawValue)
/// ``LAError/Code/userFallback``
public let kLAErrorUserFallback = Int32(LAError.Code.userFallback.rawValue)
/// ``LAError/Code/systemCancel``
public let kLAErrorSystemCancel = Int32(LAError.Code.systemCancel.rawValue)
/// ``LAError/Code/passcodeNotSet``
public let kLAErrorPasscodeNotSet = Int32(LAError.Code.passcodeNotSet.rawValue)
/// ``LAError/Code/biometryNotAvailable``
public let kLAErrorBiometryNotAvailable = Int32(LAError.Code.biometryNotAvailable.rawValue)
/// ``LAError/Code/biometryNotEnrolled``
public let kLAErrorBiometryNotEnrolled = Int32(LAError.Code.biometryNotEnrolled.rawValue)
/// ``LAError/Code/biometryLockout``
public let kLAErrorBiometryLockout = Int32(LAError.Code.biometryLockout.rawValue)
/// ``LAError/Code/appCancel``
public let kLAErrorAppCancel = Int32(LAError.Code.appCancel.rawValue)
/// ``LAError/Code/invalidContext``
public let kLAErrorInvalidContext = Int32(LAError.Code.invalidContext.rawValue)
/// ``LAError/Code/companionNotAvailable``
public let kLAErrorCompanionNotAvailable = Int32(LAError.Code.companionNotAvailable.rawValue)
/// ``LAError/Code/biometryNotPaired``
public let kLAErrorBiometryNotPaired = Int32(LAError.Code.biometryNotPaired.rawValue)
/// ``LAError/Code/biometryDisconnected``
public let kLAErrorBiometryDisconnected = Int32(LAError.Code.biometryDisconnected.rawValue)
/// ``LAError/Code/invalidDimensions``
public let kLAErrorInvalidDimensions = Int32(LAError.Code.invalidDimensions.rawValue)
/// ``LAError/Code/notInteractive``
public let kLAErrorNotInteractive = Int32(LAError.Code.notInteractive.rawValue)

/// The earlier name of ``kLAErrorBiometryNotAvailable``.
public let kLAErrorTouchIDNotAvailable = kLAErrorBiometryNotAvailable
/// The earlier name of ``kLAErrorBiometryNotEnrolled``.
public let kLAErrorTouchIDNotEnrolled = kLAErrorBiometryNotEnrolled
/// The earlier name of ``kLAErrorBiometryLockout``.
public let kLAErrorTouchIDLockout = kLAErrorBiometryLockout
/// The earlier name of ``kLAErrorCompanionNotAvailable``.
public let kLAErrorWatchNotAvailable = kLAErrorCompanionNotAvailable

/// ``LAErrorDomain``
public let kLAErrorDomain = LAErrorDomain
