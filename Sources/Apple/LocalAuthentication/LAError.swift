import Protocol

/// Whose numbers an ``LAError``'s code is one of (LAPublicDefines.h).
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// Why the owner was not authenticated.
///
/// It is an `NSError` of ``LAErrorDomain`` in Swift's clothes, as on Apple's systems: it can be
/// caught and cast in both directions (`catch LAError.userCancel`, `error as? LAError`,
/// `error as NSError`). `localizedDescription` is a sentence of what happened here, and
/// `localizedRecoverySuggestion` of the `NSError` says what to do, if there is something; both
/// are English, and meant for the application's author more than for its user. What the system's
/// own name and number of the failure are says the error under `NSUnderlyingErrorKey`.
public struct LAError: Error, @unchecked Sendable {
  // NSError is immutable once made, and so are the dictionaries that are put into it here; whoever
  // wraps a subclass of their own that is not has said so.
  /// The error itself.
  public let _nsError: NSError

  /// Takes an error of ``LAErrorDomain``.
  public init(_nsError error: NSError) { _nsError = error }

  /// Every reason there is; the numbers are Apple's.
  public enum Code: Int, Sendable {
    /// The owner failed to prove to be there: three touches that did not match, three wrong
    /// passcodes, or passcodes are not tried for a while.
    case authenticationFailed = -1
    /// The person pressed Cancel.
    case userCancel = -2
    /// The person chose the fallback of ``LAPolicy/deviceOwnerAuthenticationWithBiometrics``, which
    /// the application itself has to provide.
    case userFallback = -3
    /// The system ended it: the core ended or was lost, somebody else was asked, or nobody answered
    /// in time.
    case systemCancel = -4
    /// No passcode is set, so that nobody has access.
    case passcodeNotSet = -5
    /// There is no fingerprint reader, or its driver fails.
    case biometryNotAvailable = -6
    /// No finger is enrolled that the reader could match.
    case biometryNotEnrolled = -7
    /// Fingers are not believed until the passcode is given: after five misses in a row, before the
    /// first unlock, or after too long a time.
    case biometryLockout = -8
    /// The application ended it: ``LAContext/invalidate()``, or its task was cancelled.
    case appCancel = -9
    /// The context was invalidated before.
    case invalidContext = -10
    /// No companion device is near. Never due here: there are none, and policies that only they
    /// could satisfy fail with ``biometryNotAvailable``.
    case companionNotAvailable = -11
    /// A reader is named, remembered or connected that no finger was enrolled with, and it is away
    /// or no driver handles it.
    case biometryNotPaired = -12
    /// The reader that took the enrolled fingers is not connected, or was unplugged meanwhile.
    case biometryDisconnected = -13
    /// An embedded view of the framework has a size that it cannot have. Never due here: there are
    /// no such views.
    case invalidDimensions = -14
    /// The person would have to be asked and may not be: the context or the item forbids it, no
    /// reason was given, or nobody is there who could see it.
    case notInteractive = -1004
  }
}

extension LAError {
  /// Why. A code of a later system counts as ``Code/authenticationFailed``, which permits nothing.
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

  /// The earlier name of ``Code/biometryNotAvailable``.
  public static var touchIDNotAvailable: Code { .biometryNotAvailable }
  /// The earlier name of ``Code/biometryNotEnrolled``.
  public static var touchIDNotEnrolled: Code { .biometryNotEnrolled }
  /// The earlier name of ``Code/biometryLockout``.
  public static var touchIDLockout: Code { .biometryLockout }
  /// The earlier name of ``Code/companionNotAvailable``.
  public static var watchNotAvailable: Code { .companionNotAvailable }
}

extension LAError.Code {
  /// The earlier name of ``biometryNotAvailable``.
  public static var touchIDNotAvailable: Self { .biometryNotAvailable }
  /// The earlier name of ``biometryNotEnrolled``.
  public static var touchIDNotEnrolled: Self { .biometryNotEnrolled }
  /// The earlier name of ``biometryLockout``.
  public static var touchIDLockout: Self { .biometryLockout }
  /// The earlier name of ``companionNotAvailable``.
  public static var watchNotAvailable: Self { .companionNotAvailable }
}

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

// What makes casts between LAError, NSError and Error work on Linux in every direction. Foundation
// there does it for its own errors by the first of these protocols, and the runtime by the second:
// without that `nsError as? LAError` is nil.

extension LAError.Code: _ErrorCodeProtocol {
  /// The error whose codes these are.
  public typealias _ErrorType = LAError
}

extension LAError: _BridgedStoredNSError {
  /// ``LAErrorDomain``
  public static var errorDomain: String { LAErrorDomain }
  /// ``LAErrorDomain``
  public static var _nsErrorDomain: String { LAErrorDomain }
}

extension LAError: _ObjectiveCBridgeable {
  /// The class that stands for it.
  public typealias _ObjectiveCType = NSError

  /// The error itself.
  public func _bridgeToObjectiveC() -> NSError { _nsError }

  /// Takes an error that has to be one of ``LAErrorDomain``.
  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) {
    guard _conditionallyBridgeFromObjectiveC(source, result: &result) else {
      preconditionFailure("an error of \(source.domain) is no LAError")
    }
  }

  /// Takes an error, if it is one of ``LAErrorDomain``.
  /// - Returns: whether it is.
  @discardableResult
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSError, result: inout LAError?
  ) -> Bool {
    // A code of a later system is left to those who know it: it would have no case here.
    guard source.domain == LAErrorDomain, Code(rawValue: source.code) != nil else { return false }
    result = LAError(_nsError: source)
    return true
  }

  /// Takes an error that has to be there, and one of ``LAErrorDomain``.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> LAError {
    var result: LAError?
    guard let source, _conditionallyBridgeFromObjectiveC(source, result: &result), let result else {
      preconditionFailure("there is no LAError to bridge")
    }
    return result
  }
}

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
  /// Apple's code for a failure of this system: its own if Apple has one, else what an
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
