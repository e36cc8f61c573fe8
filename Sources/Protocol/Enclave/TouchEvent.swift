extension TouchEvent {
  /// Misses in a row after which no touch is compared until the passcode is given.
  package static var mostMissesInARow: UInt32 { 5 }
}
