import Protocol

/// The reader has gone, and nothing but a touch will do.
struct LostSensorFails: PolicyRule {
  func step(for question: PolicyQuestion) -> PolicyStep.Action? {
    guard question.progress.lastEvent == .sensorLost else { return nil }
    return .fail(
      Failure(
        .biometryDisconnected, "the fingerprint reader was disconnected",
        hint: "connect it again and repeat the command"))
  }
}
