/// Whose numbers an ``LAError``'s code is one of (LAPublicDefines.h).
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// Why the owner was not authenticated.
///
/// It is an `NSError` of ``LAErrorDomain`` in Swift's clothes, as on Apple's systems: it can be
/// caught and cast in both directions (`catch LAError.userCancel`, `error as? LAError`,
/// `error as NSError`). `localizedDescription` is a sentence of what happened here, and
/// `localizedRecoverySuggestion` of the `NSError` says what to do, where there is something; both
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
