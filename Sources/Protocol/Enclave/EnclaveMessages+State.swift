extension EnclaveStatus {
  /// All enrolled fingers.
  package var fingers: UInt32 { realFingers &+ syntheticFingers &+ tapeFingers &+ earlierFingers }

  /// Those that frames of an origin can match.
  package func fingers(from origin: FrameOrigin) -> UInt32 {
    switch origin {
    case .reader: realFingers &+ earlierFingers
    case .synthetic: syntheticFingers
    case .tape: tapeFingers &+ earlierFingers
    }
  }
}
