/// What has to be proved before an item opens (`SecAccessControl`, APPLE.md 1.5; A1, A2).
///
/// One to four constraints, joined by *and* or by *or*. The two bytes of ``encode(into:)`` are
/// authenticated together with the item.
package struct AccessControl: Hashable, WireField {
  /// How several constraints combine.
  package enum Junction: UInt8, WireField {
    case and = 1
    case or = 2
  }

  /// The constraints.
  package struct Constraints: OptionSet, Hashable, Sendable {
    /// The bits, as they cross walls.
    package let rawValue: UInt8
    /// A set from its bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Biometry or the passcode; no finger need be enrolled.
    package static let presence = Constraints(rawValue: 1)
    /// A finger enrolled at the time of use.
    package static let biometryAny = Constraints(rawValue: 2)
    /// A finger, as long as the set of fingers is the one at the time of sealing.
    package static let biometryCurrent = Constraints(rawValue: 4)
    /// The owner's passcode.
    package static let passcode = Constraints(rawValue: 8)
  }

  /// The constraints; never empty.
  package let constraints: Constraints
  /// How they combine; `and` where there is one.
  package let junction: Junction
  /// Whether a match at a relaxed rate is refused, see ``EvidenceSet/relaxedBiometry``.
  package let requiresStrictMatch: Bool

  /// Why a combination is refused (`errSecParam`).
  package enum Problem: Error, Equatable, Sendable {
    case empty
    case unknown(String)
    /// `and` and `or` in one expression.
    case mixedJunctions
    /// `presence` already means biometry or passcode and stands alone.
    case presenceWithOthers
    /// Any and current biometry together.
    case bothBiometries
    /// `app-password` is not available.
    case appPassword
    /// A strict match is wanted where no finger is asked for.
    case strictWithoutFinger
  }

  /// A valid combination, or why it is none.
  package init(
    _ constraints: Constraints, joinedBy junction: Junction = .and,
    requiresStrictMatch: Bool = false
  ) throws(Problem) {
    guard !constraints.isEmpty else { throw .empty }
    if constraints.contains(.presence), constraints != .presence { throw .presenceWithOthers }
    if constraints.isSuperset(of: [.biometryAny, .biometryCurrent]) { throw .bothBiometries }
    if requiresStrictMatch, constraints == .passcode { throw .strictWithoutFinger }
    self.constraints = constraints
    self.requiresStrictMatch = requiresStrictMatch
    let isSingle = constraints.rawValue & (constraints.rawValue - 1) == 0
    self.junction = isSingle ? .and : junction
  }

  private static let names: [(name: String, constraint: Constraints)] = [
    ("presence", .presence), ("biometry-any", .biometryAny),
    ("biometry-current", .biometryCurrent), ("passcode", .passcode),
  ]

  /// Reads `--access`: names joined by `and` or by `or`.
  package init(parsing text: String, requiresStrictMatch: Bool = false) throws(Problem) {
    var constraints: Constraints = []
    var junction: Junction?
    let words = text.split(separator: " ")
    guard words.count % 2 == 1 else { throw words.isEmpty ? .empty : .unknown(text) }
    for (index, word) in words.enumerated() {
      if index % 2 == 1 {
        guard let found: Junction = word == "and" ? .and : word == "or" ? .or : nil else {
          throw .unknown(String(word))
        }
        if let junction, junction != found { throw .mixedJunctions }
        junction = found
      } else if word == "app-password" {
        throw .appPassword
      } else {
        guard let found = Self.names.first(where: { $0.name == word }) else {
          throw .unknown(String(word))
        }
        constraints.insert(found.constraint)
      }
    }
    try self.init(
      constraints, joinedBy: junction ?? .and, requiresStrictMatch: requiresStrictMatch)
  }

  /// As `--access` takes it and JSON shows it.
  package var text: String {
    Self.names.filter { constraints.contains($0.constraint) }.map(\.name)
      .joined(separator: junction == .and ? " and " : " or ")
  }

  /// What is left of it without some constraints; nil where nothing is.
  package func removing(_ others: Constraints) -> AccessControl? {
    let rest = constraints.subtracting(others)
    return try? AccessControl(
      rest, joinedBy: junction, requiresStrictMatch: requiresStrictMatch && rest != .passcode)
  }

  /// Whether `evidence` satisfies it. Whether biometry-current still names the current set is for
  /// the enclave to add.
  package func isSatisfied(by evidence: EvidenceSet) -> Bool {
    var results: [Bool] = []
    let hasMatch = evidence.hasMatch(strict: requiresStrictMatch)
    let hasPasscode = evidence.contains(.passcode)
    if constraints.contains(.presence) { results.append(hasMatch || hasPasscode) }
    if constraints.contains(.biometryAny) || constraints.contains(.biometryCurrent) {
      results.append(hasMatch)
    }
    if constraints.contains(.passcode) { results.append(hasPasscode) }
    return junction == .and ? results.allSatisfy { $0 } : results.contains(true)
  }

  /// Which single further proofs help: those of which some set with `evidence` satisfies it.
  package func helpfulEvidence(beyond evidence: EvidenceSet) -> EvidenceSet {
    guard !isSatisfied(by: evidence) else { return [] }
    var helpful: EvidenceSet = []
    if constraints.contains(.presence) { helpful.formUnion([.biometry, .passcode]) }
    if constraints.contains(.biometryAny) || constraints.contains(.biometryCurrent) {
      helpful.insert(.biometry)
    }
    if constraints.contains(.passcode) { helpful.insert(.passcode) }
    if evidence.hasMatch(strict: requiresStrictMatch) { helpful.remove(.biometry) }
    return helpful.subtracting(evidence)
  }

  /// The bit of the first byte that says ``requiresStrictMatch``.
  private static var strictBit: UInt8 { 128 }

  /// Two bytes: constraints, junction.
  package func encode(into encoder: inout WireEncoder) {
    encoder.writeByte(constraints.rawValue | (requiresStrictMatch ? Self.strictBit : 0))
    encoder.writeByte(junction.rawValue)
  }

  /// Reads the two bytes; a combination that cannot be made is an error.
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let bits = try decoder.readByte()
    guard bits & ~(15 | Self.strictBit) == 0,
      let junction = Junction(rawValue: try decoder.readByte())
    else {
      throw .invalidValue(field: "access control")
    }
    do {
      try self.init(
        Constraints(rawValue: bits & ~Self.strictBit), joinedBy: junction,
        requiresStrictMatch: bits & Self.strictBit != 0)
    } catch {
      throw .invalidValue(field: "access control")
    }
  }
}
