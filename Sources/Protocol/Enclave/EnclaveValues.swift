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

extension EnclaveRules {
  /// The strictest of all.
  package static let strictest = EnclaveRules(
    missesInARow: 1, passcodeCharacters: mostPasscodeCharacters, reuseSeconds: 0,
    allowsRelaxedRate: false)

  /// The longest passcode that a rule may ask for.
  package static var mostPasscodeCharacters: UInt32 { 64 }

  /// Takes the stricter of each.
  package mutating func tighten(to other: EnclaveRules) {
    self = EnclaveRules(
      missesInARow: max(1, min(missesInARow, other.missesInARow)),
      passcodeCharacters: max(passcodeCharacters, other.passcodeCharacters),
      reuseSeconds: min(reuseSeconds, other.reuseSeconds),
      allowsRelaxedRate: allowsRelaxedRate && other.allowsRelaxedRate)
  }
}

/// How many contexts there can be at a time; beyond that the enclave answers `busy`.
package enum ContextLimits {
  /// Of one connection.
  package static let ofConnection = 32
  /// Those of them that a connection has whatever others do: one for the request under way, and one
  /// that outlives it.
  package static let certain = 2
  /// What all connections together have beyond those.
  package static let shared = 72 * ofConnection
}

extension TouchEvent {
  /// Misses in a row after which no touch is compared until the passcode is given.
  package static var mostMissesInARow: UInt32 { 5 }

  package init(session: UInt64, outcome: Outcome, status: EnclaveStatus? = nil) {
    self.init(session: session, status: status, outcome: outcome)
  }
}

extension SeveralRequests {
  func check() throws(DecodeError) {
    guard !requests.isEmpty else { throw .invalidValue(field: "requests") }
  }
}

extension CopyDatabase {
  /// The name of the database to read. A log beside it is a part of it.
  package static let source = "given.sqlite"

  /// The name of the database that is made; one that is there is replaced.
  package static let target = "copied.sqlite"
}

/// The file beside the database that keeps room for removals. It holds nothing, and no move takes it.
package let removalReserveName = ".removals"

/// Bytes that one keychain may take on the disk, with what it has put aside.
package let largestKeychain = 256 << 20

extension CallProgress {
  /// Misses that end a call (CLI.md, "Misses").
  package static var mostMisses: UInt32 { 3 }
}
