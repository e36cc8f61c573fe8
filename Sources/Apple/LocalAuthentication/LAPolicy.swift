import Protocol

/// What has to be proved (LAContext.h).
///
/// There are no companion devices here, and nothing is worn on a wrist: policies that need one fail
/// with ``LAError/Code/biometryNotAvailable``. If a finger also satisfies the policy, the finger is
/// asked for.
public enum LAPolicy: Int, Sendable {
  /// A finger of the owner. The fallback ends the evaluation with ``LAError/Code/userFallback``,
  /// and the application offers its own.
  case deviceOwnerAuthenticationWithBiometrics = 1
  /// A finger of the owner, or the passcode.
  case deviceOwnerAuthentication = 2
  /// A companion device. Always fails here, with ``LAError/Code/biometryNotAvailable``.
  case deviceOwnerAuthenticationWithCompanion = 3
  /// A finger or a companion device: here the same as ``deviceOwnerAuthenticationWithBiometrics``.
  case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4
  /// A watch that stays on its wrist. Always fails here, with
  /// ``LAError/Code/biometryNotAvailable``.
  case deviceOwnerAuthenticationWithWristDetection = 5

  /// The earlier name of ``deviceOwnerAuthenticationWithCompanion``.
  public static var deviceOwnerAuthenticationWithWatch: LAPolicy {
    .deviceOwnerAuthenticationWithCompanion
  }
  /// The earlier name of ``deviceOwnerAuthenticationWithBiometricsOrCompanion``.
  public static var deviceOwnerAuthenticationWithBiometricsOrWatch: LAPolicy {
    .deviceOwnerAuthenticationWithBiometricsOrCompanion
  }
}

public let kLAPolicyDeviceOwnerAuthenticationWithBiometrics = Int32(
  LAPolicy.deviceOwnerAuthenticationWithBiometrics.rawValue)
public let kLAPolicyDeviceOwnerAuthentication = Int32(LAPolicy.deviceOwnerAuthentication.rawValue)
public let kLAPolicyDeviceOwnerAuthenticationWithCompanion = Int32(
  LAPolicy.deviceOwnerAuthenticationWithCompanion.rawValue)
public let kLAPolicyDeviceOwnerAuthenticationWithWatch = Int32(
  LAPolicy.deviceOwnerAuthenticationWithWatch.rawValue)
public let kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrCompanion = Int32(
  LAPolicy.deviceOwnerAuthenticationWithBiometricsOrCompanion.rawValue)
public let kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrWatch = Int32(
  LAPolicy.deviceOwnerAuthenticationWithBiometricsOrWatch.rawValue)
public let kLAPolicyDeviceOwnerAuthenticationWithWristDetection = Int32(
  LAPolicy.deviceOwnerAuthenticationWithWristDetection.rawValue)

/// The kind of biometry. Here it is fingers or nothing.
public enum LABiometryType: Int, Sendable {
  /// None, or ``LAContext/canEvaluatePolicy(_:error:)`` has not been called yet.
  case none = 0
  /// A fingerprint reader is connected, even if no finger is enrolled.
  case touchID = 1
  /// Not used here.
  case faceID = 2, opticID = 4

  /// The earlier name of ``none``.
  public static var LABiometryNone: LABiometryType { .none }
}

/// A kind of companion device. This system knows none.
public enum LACompanionType: Int, Sendable {
  case watch = 1, mac = 2, vision = 4
}

/// What an application can give to a context.
public enum LACredentialType: Int, Sendable {
  /// A password of the application, 1 to 1024 bytes, which enters the keys of items opened and
  /// sealed in the context.
  case applicationPassword = 0
  /// The PIN of a smart card, which is never accepted.
  case smartCardPIN = -3
}

/// The longest time for which an unlock by touch may count once more, in seconds: five minutes.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration = TimeInterval(longestReuse)

/// An operation on something that an access control guards. `evaluateAccessControl` asks for the
/// same for all of them. The keychain itself adds items and makes keys without asking.
public enum LAAccessControlOperation: Int, Sendable {
  case createItem = 0, useItem, createKey, useKeySign, useKeyDecrypt, useKeyKeyExchange
}
