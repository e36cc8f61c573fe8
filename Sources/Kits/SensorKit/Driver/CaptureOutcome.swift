/// What came of a touch. A device that fails throws a ``SensorFailure`` instead.
public enum CaptureOutcome: Equatable, Sendable {
  /// The image of the finger.
  case frame(Frame)
  /// The person has to try again.
  case retry(RetryReason)
}
