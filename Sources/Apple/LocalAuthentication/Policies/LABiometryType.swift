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
