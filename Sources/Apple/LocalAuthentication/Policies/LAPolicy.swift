/// What has to be proved (LAContext.h).
///
/// There are no companion devices here, and nothing is worn on a wrist: what only they could prove
/// fails with ``LAError/Code/biometryNotAvailable``, and where a finger would do as well the finger
/// is asked for.
public enum LAPolicy: Int, Sendable {
  /// A finger of the owner's. It has no fallback of its own: who chooses that ends the evaluation
  /// with ``LAError/Code/userFallback``, and the application offers what it has.
  case deviceOwnerAuthenticationWithBiometrics = 1
  /// A finger of the owner's where one can be had, or the passcode.
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
