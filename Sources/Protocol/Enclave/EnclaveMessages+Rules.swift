extension EnclaveRules {
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
}
