/// What whoever runs the machine asks of every keychain on it. The enclave enforces it, and takes
/// only what is stricter than what it has: nobody can loosen its rules.
package struct EnclaveRules: Equatable, Sendable, WireField {
  /// Misses in a row after which no touch is compared until the passcode is given.
  package private(set) var missesInARow = TouchEvent.mostMissesInARow
  /// Characters that a new passcode has at least, beside white space.
  package private(set) var passcodeCharacters = UInt32(PasscodeRules.fewestCharacters)
  /// Seconds for which an unlock by touch may count for a request after it.
  package private(set) var reuseSeconds = longestReuse
  /// Whether fingers may be enrolled and compared at the relaxed rate of small sensors.
  package private(set) var allowsRelaxedRate = true

  /// What holds without a policy.
  package init() {}

  /// - Parameters:
  ///   - missesInARow: 1 to ``TouchEvent/mostMissesInARow``.
  ///   - passcodeCharacters: ``PasscodeRules/fewestCharacters`` to 64.
  ///   - reuseSeconds: 0 to ``longestReuse``.
  ///   - allowsRelaxedRate: see there.
  package init(
    missesInARow: UInt32, passcodeCharacters: UInt32, reuseSeconds: UInt32, allowsRelaxedRate: Bool
  ) {
    self.missesInARow = missesInARow
    self.passcodeCharacters = passcodeCharacters
    self.reuseSeconds = reuseSeconds
    self.allowsRelaxedRate = allowsRelaxedRate
  }

  /// The strictest of all.
  package static let strictest = EnclaveRules(
    missesInARow: 1, passcodeCharacters: mostPasscodeCharacters, reuseSeconds: 0,
    allowsRelaxedRate: false)

  /// The longest passcode that a rule may ask for.
  package static var mostPasscodeCharacters: UInt32 { 64 }

  /// Takes the stricter of each.
  package mutating func tighten(to other: EnclaveRules) {
    missesInARow = max(1, min(missesInARow, other.missesInARow))
    passcodeCharacters = max(passcodeCharacters, other.passcodeCharacters)
    reuseSeconds = min(reuseSeconds, other.reuseSeconds)
    allowsRelaxedRate = allowsRelaxedRate && other.allowsRelaxedRate
  }

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(missesInARow, passcodeCharacters, reuseSeconds, allowsRelaxedRate)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (missesInARow, passcodeCharacters, reuseSeconds, allowsRelaxedRate) = try decoder.read()
  }
}

/// Core → enclave: has it enforce these rules as well as those it has, until it ends. Reply:
/// ``Done``.
package struct TightenRules: WireMessage, Equatable {
  package static var number: UInt8 { 76 }

  package let rules: EnclaveRules

  package init(rules: EnclaveRules) { self.rules = rules }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(rules) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) { rules = try decoder.read() }
}
