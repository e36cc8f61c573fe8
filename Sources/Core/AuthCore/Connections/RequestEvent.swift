import Protocol

/// What can happen while a request waits for a person.
enum RequestEvent: Sendable {
  /// The prompt is on the screen.
  case shown
  case cancelPressed
  case fallbackChosen
  case passcodeGiven(SharedSecret)
  /// Nobody can give a (further) passcode.
  case noPasscode
  /// What came of a touch.
  case touch(TouchEvent)
  /// The driver's process is gone.
  case sensorEnded(Failure)
}
