import Protocol

/// What has to be proved (LAContext.h).
///
/// There are no companion devices here, and nothing is worn on a wrist: what only they could prove
/// fails with ``LAError/Code/biometryNotAvailable``, and if a finger would do as well the finger
/// is asked for.
public enum LAPolicy: Int, Sendable {
  /// A finger of the owner's. It has no fallback of its own: who chooses that ends the evaluation
  /// with ``LAError/Code/userFallback``, and the application offers what it has.
  case deviceOwnerAuthenticationWithBiometrics = 1
  /// A finger of the owner's if one can be had, or the passcode.
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

// The names that C has for them.

/// ``LAPolicy/deviceOwnerAuthenticationWithBiometrics``
public let kLAPolicyDeviceOwnerAuthenticationWithBiometrics = Int32(
  LAPolicy.deviceOwnerAuthenticationWithBiometrics.rawValue)
/// ``LAPolicy/deviceOwnerAuthentication``
public let kLAPolicyDeviceOwnerAuthentication = Int32(LAPolicy.deviceOwnerAuthentication.rawValue)
/// ``LAPolicy/deviceOwnerAuthenticationWithCompanion``
public let kLAPolicyDeviceOwnerAuthenticationWithCompanion = Int32(
  LAPolicy.deviceOwnerAuthenticationWithCompanion.rawValue)
/// ``LAPolicy/deviceOwnerAuthenticationWithWatch``
public let kLAPolicyDeviceOwnerAuthenticationWithWatch = Int32(
  LAPolicy.deviceOwnerAuthenticationWithWatch.rawValue)
/// ``LAPolicy/deviceOwnerAuthenticationWithBiometricsOrCompanion``
public let kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrCompanion = Int32(
  LAPolicy.deviceOwnerAuthenticationWithBiometricsOrCompanion.rawValue)
/// ``LAPolicy/deviceOwnerAuthenticationWithBiometricsOrWatch``
public let kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrWatch = Int32(
  LAPolicy.deviceOwnerAuthenticationWithBiometricsOrWatch.rawValue)
/// ``LAPolicy/deviceOwnerAuthenticationWithWristDetection``
public let kLAPolicyDeviceOwnerAuthenticationWithWristDetection = Int32(
  LAPolicy.deviceOwnerAuthenticationWithWristDetection.rawValue)

/// What kind of biometry there is. Here it is fingers or nothing.
public enum LABiometryType: Int, Sendable {
  /// None, or ``LAContext/canEvaluatePolicy(_:error:)`` has not been asked yet.
  case none = 0
  /// Fingers: a reader is connected, whether or not one is enrolled.
  case touchID = 1
  /// Never the case here.
  case faceID = 2
  /// Never the case here.
  case opticID = 4

  /// The earlier name of ``none``.
  public static var LABiometryNone: LABiometryType { .none }
}

/// A kind of device that proves its owner's presence elsewhere. This system knows none.
public enum LACompanionType: Int, Sendable {
  /// A watch.
  case watch = 1
  /// A Mac.
  case mac = 2
  /// A headset.
  case vision = 4
}

/// What an application can give a context beside what the owner proves.
public enum LACredentialType: Int, Sendable {
  /// A password that the application has chosen; it enters the keys of what is opened and sealed in
  /// the context, and of nothing else. 1 to 1024 bytes.
  case applicationPassword = 0
  /// The PIN of a smart card, of which this system knows none: it is never taken.
  case smartCardPIN = -3
}

/// How long an unlock by touch may count once more at most, in seconds: five minutes.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration = TimeInterval(longestReuse)

/// What somebody wants to do with what an access control guards.
///
/// Whatever it is, `evaluateAccessControl` asks for all that the access control wants. The keychain
/// itself adds items and makes keys without asking.
public enum LAAccessControlOperation: Int, Sendable {
  /// Adding an item.
  case createItem = 0
  /// Reading an item.
  case useItem = 1
  /// Making a key.
  case createKey = 2
  /// Signing with a key.
  case useKeySign = 3
  /// Decrypting with a key.
  case useKeyDecrypt = 4
  /// Agreeing on a secret with a key.
  case useKeyKeyExchange = 5
}
