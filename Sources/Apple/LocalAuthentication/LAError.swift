import Protocol

/// The domain of ``LAError`` (LAPublicDefines.h).
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// Why the owner was not authenticated.
///
/// It wraps an `NSError` of ``LAErrorDomain``, as on Apple's systems, and can be caught and cast in
/// both directions (`catch LAError.userCancel`, `error as? LAError`, `error as NSError`).
/// `localizedDescription` says what happened, and `localizedRecoverySuggestion` of the `NSError`
/// what to do, if anything; both are in English and meant for the application's author rather than
/// its user. The error under `NSUnderlyingErrorKey` has the system's own name and number of the
/// failure.
public struct LAError: Error, @unchecked Sendable {
  // Unchecked: NSError is immutable, and so are the dictionaries in it.
  public let _nsError: NSError

  /// Wraps an error of ``LAErrorDomain``.
  public init(_nsError error: NSError) { _nsError = error }

  /// The reasons, with Apple's numbers.
  public enum Code: Int, Sendable {
    /// The proof failed: three touches did not match, three passcodes were wrong, or passcodes are
    /// delayed.
    case authenticationFailed = -1
    /// The person pressed Cancel.
    case userCancel = -2
    /// The person chose the fallback of ``LAPolicy/deviceOwnerAuthenticationWithBiometrics``, which
    /// the application has to provide.
    case userFallback = -3
    /// The system ended it: the core was lost, somebody else was asked, or nobody answered in time.
    case systemCancel = -4
    /// No passcode is set.
    case passcodeNotSet = -5
    /// There is no fingerprint reader, or its driver fails.
    case biometryNotAvailable = -6
    /// No finger is enrolled that the reader could match.
    case biometryNotEnrolled = -7
    /// Fingers do not count until the passcode is given: after five misses in a row, before the
    /// first unlock, or after too long a time.
    case biometryLockout = -8
    /// The application ended it: ``LAContext/invalidate()``, or its task was cancelled.
    case appCancel = -9
    /// The context was invalidated before.
    case invalidContext = -10
    /// No companion device is near. Not used here: policies that need one fail with
    /// ``biometryNotAvailable``.
    case companionNotAvailable = -11
    /// No finger was enrolled with the named, remembered or connected reader, and it is away or has
    /// no driver.
    case biometryNotPaired = -12
    /// The reader that took the enrolled fingers is not connected, or was unplugged meanwhile.
    case biometryDisconnected = -13
    /// An embedded view has an impossible size. Not used here: there are no such views.
    case invalidDimensions = -14
    /// The person would have to be asked but may not be: the context or the item forbids it, there
    /// is no reason, or nobody could see the prompt.
    case notInteractive = -1004
  }
}

extension LAError {
  /// The reason. A code of a later system counts as ``Code/authenticationFailed``, which permits
  /// nothing.
  public var code: Code { Code(rawValue: _nsError.code) ?? .authenticationFailed }

  /// ``Code/authenticationFailed``
  public static var authenticationFailed: Code { .authenticationFailed }
  /// ``Code/userCancel``
  public static var userCancel: Code { .userCancel }
  /// ``Code/userFallback``
  public static var userFallback: Code { .userFallback }
  /// ``Code/systemCancel``
  public static var systemCancel: Code { .systemCancel }
  /// ``Code/passcodeNotSet``
  public static var passcodeNotSet: Code { .passcodeNotSet }
  /// ``Code/biometryNotAvailable``
  public static var biometryNotAvailable: Code { .biometryNotAvailable }
  /// ``Code/biometryNotEnrolled``
  public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
  /// ``Code/biometryLockout``
  public static var biometryLockout: Code { .biometryLockout }
  /// ``Code/appCancel``
  public static var appCancel: Code { .appCancel }
  /// ``Code/invalidContext``
  public static var invalidContext: Code { .invalidContext }
  /// ``Code/companionNotAvailable``
  public static var companionNotAvailable: Code { .companionNotAvailable }
  /// ``Code/biometryNotPaired``
  public static var biometryNotPaired: Code { .biometryNotPaired }
  /// ``Code/biometryDisconnected``
  public static var biometryDisconnected: Code { .biometryDisconnected }
  /// ``Code/invalidDimensions``
  public static var invalidDimensions: Code { .invalidDimensions }
  /// ``Code/notInteractive``
  public static var notInteractive: Code { .notInteractive }

  public static var touchIDNotAvailable: Code { .biometryNotAvailable }
  public static var touchIDNotEnrolled: Code { .biometryNotEnrolled }
  public static var touchIDLockout: Code { .biometryLockout }
  public static var watchNotAvailable: Code { .companionNotAvailable }
}

extension LAError.Code {
  public static var touchIDNotAvailable: Self { .biometryNotAvailable }
  public static var touchIDNotEnrolled: Self { .biometryNotEnrolled }
  public static var touchIDLockout: Self { .biometryLockout }
  public static var watchNotAvailable: Self { .companionNotAvailable }
}

// The codes of LAError by the names that C and early Swift have for them (LAPublicDefines.h).

public let kLAErrorAuthenticationFailed = Int32(LAError.Code.authenticationFailed.rawValue)
public let kLAErrorUserCancel = Int32(LAError.Code.userCancel.rawValue)
public let kLAErrorUserFallback = Int32(LAError.Code.userFallback.rawValue)
public let kLAErrorSystemCancel = Int32(LAError.Code.systemCancel.rawValue)
public let kLAErrorPasscodeNotSet = Int32(LAError.Code.passcodeNotSet.rawValue)
public let kLAErrorBiometryNotAvailable = Int32(LAError.Code.biometryNotAvailable.rawValue)
public let kLAErrorBiometryNotEnrolled = Int32(LAError.Code.biometryNotEnrolled.rawValue)
public let kLAErrorBiometryLockout = Int32(LAError.Code.biometryLockout.rawValue)
public let kLAErrorAppCancel = Int32(LAError.Code.appCancel.rawValue)
public let kLAErrorInvalidContext = Int32(LAError.Code.invalidContext.rawValue)
public let kLAErrorCompanionNotAvailable = Int32(LAError.Code.companionNotAvailable.rawValue)
public let kLAErrorBiometryNotPaired = Int32(LAError.Code.biometryNotPaired.rawValue)
public let kLAErrorBiometryDisconnected = Int32(LAError.Code.biometryDisconnected.rawValue)
public let kLAErrorInvalidDimensions = Int32(LAError.Code.invalidDimensions.rawValue)
public let kLAErrorNotInteractive = Int32(LAError.Code.notInteractive.rawValue)

public let kLAErrorTouchIDNotAvailable = kLAErrorBiometryNotAvailable
public let kLAErrorTouchIDNotEnrolled = kLAErrorBiometryNotEnrolled
public let kLAErrorTouchIDLockout = kLAErrorBiometryLockout
public let kLAErrorWatchNotAvailable = kLAErrorCompanionNotAvailable

public let kLAErrorDomain = LAErrorDomain

// Makes casts between LAError, NSError and Error work on Linux in every direction. Foundation does
// so for its own errors by the first of these protocols, the runtime by the second: without it
// `nsError as? LAError` is nil.

extension LAError.Code: _ErrorCodeProtocol {
  public typealias _ErrorType = LAError
}

extension LAError: _BridgedStoredNSError {
  public static var errorDomain: String { LAErrorDomain }
  public static var _nsErrorDomain: String { LAErrorDomain }
}

extension LAError: _ObjectiveCBridgeable {
  public typealias _ObjectiveCType = NSError

  public func _bridgeToObjectiveC() -> NSError { _nsError }

  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) {
    guard _conditionallyBridgeFromObjectiveC(source, result: &result) else {
      preconditionFailure("an error of \(source.domain) is no LAError")
    }
  }

  /// Wraps an error if it is one of ``LAErrorDomain``.
  /// - Returns: whether it is.
  @discardableResult
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSError, result: inout LAError?
  ) -> Bool {
    // A code of a later system would have no case here.
    guard source.domain == LAErrorDomain, Code(rawValue: source.code) != nil else { return false }
    result = LAError(_nsError: source)
    return true
  }

  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> LAError {
    var result: LAError?
    guard let source, _conditionallyBridgeFromObjectiveC(source, result: &result), let result else {
      preconditionFailure("there is no LAError to bridge")
    }
    return result
  }
}

extension LAError {
  /// The domain of underlying errors: numbers of −7001 and below are this system's, others Apple's.
  static let failureDomain = "authcore"

  /// The error for an application.
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
  /// Apple's code for a failure: the same if Apple has it, else one with the same consequences for
  /// an application.
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

      // The person gave a wrong proof.
      case .errSecAuthFailed, .passcodeDelayed, .appPasswordDelayed, .tpmLockout:
        .authenticationFailed
      case .errSecUserCanceled: .userCancel
      // Erasing takes the passcode with it.
      case .deviceErased: .passcodeNotSet
      case .driverNotFound, .driverFailed, .untrustedPlugin, .errSecNotAvailable:
        .biometryNotAvailable
      // Nobody was asked: it was impossible, or the request was invalid.
      case .errSecInteractionNotAllowed, .errSecMissingEntitlement, .refusedByService,
        .invalidReason, .usage, .unsupported, .errSecParam:
        .notInteractive
      // The system gave up.
      case .timedOut, .busy, .engineFailed, .coreFailed, .coreVersionMismatch, .stateDamaged,
        .storageFailed, .tpmNotFound, .tpmNotPermitted, .tpmBusy, .tpmReplaced, .tpmFailed:
        .systemCancel
      // About items, fingers, backups and commands: not results of an evaluation.
      case .errSecDuplicateItem, .errSecItemNotFound, .errSecNoSuchAttr, .errSecDecode,
        .enrolmentIncomplete, .duplicateFinger, .fingerNotFound, .tooManyFingers,
        .passcodeAlreadySet, .ambiguous, .passcodeTooShort, .backupDamaged, .backupTooNew,
        .importUnreadable, .commandNotFound, .commandNotExecutable:
        .systemCancel
      }
  }
}
