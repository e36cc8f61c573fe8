/// Which proofs of presence there are, or are asked for.
package struct EvidenceSet: OptionSet, Hashable, WireField {
  /// The bits, as they cross walls.
  package let rawValue: UInt8

  /// A set from its bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The enclave compared a print and it matched an enrolled finger at the strict rate.
  package static let biometry = EvidenceSet(rawValue: 1)
  /// The enclave verified the owner's passcode.
  package static let passcode = EvidenceSet(rawValue: 2)
  /// A print matched a finger of a small sensor at the relaxed rate that its owner chose: weaker
  /// than ``biometry``, and what an item may refuse.
  package static let relaxedBiometry = EvidenceSet(rawValue: 4)
  /// An application password was given. It proves nobody's presence, and whether it is an item's
  /// shows when that is opened.
  package static let appPassword = EvidenceSet(rawValue: 8)

  /// Whether a finger matched, at the strict rate or, where that will do, at a relaxed one.
  package func hasMatch(strict: Bool) -> Bool {
    contains(.biometry) || (!strict && contains(.relaxedBiometry))
  }

  /// Reads the bits; unknown ones are an error.
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    rawValue = try decoder.readByte()
    guard rawValue & ~15 == 0 else { throw .invalidValue(field: "evidence") }
  }
}

/// What has to be proved before an item opens, or a private key is used (`SecAccessControl`,
/// APPLE.md 1.5; A1, A2).
///
/// Up to three constraints, joined by *and* or by *or*, and an application password, which is no
/// constraint but enters the key: it is needed whatever joins the rest. The two bytes of
/// `encode(into:)` are authenticated together with the item.
public struct AccessControl: Hashable, WireField {
  /// How several constraints combine.
  public enum Junction: UInt8, WireField {
    case and = 1
    case or = 2
  }

  /// The constraints.
  public struct Constraints: OptionSet, Hashable, Sendable {
    /// The bits, as they cross walls.
    public let rawValue: UInt8
    /// A set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Biometry or the passcode; no finger need be enrolled.
    public static let presence = Constraints(rawValue: 1)
    /// A finger enrolled at the time of use.
    public static let biometryAny = Constraints(rawValue: 2)
    /// A finger, as long as the set of fingers is the one at the time of sealing.
    public static let biometryCurrent = Constraints(rawValue: 4)
    /// The owner's passcode.
    public static let passcode = Constraints(rawValue: 8)
  }

  /// What an access control asks for beside its constraints.
  public struct Additions: OptionSet, Hashable, Sendable {
    /// The bits, as they cross walls: none of them is one of a constraint.
    public let rawValue: UInt8
    /// A set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The key is made of a password of the application's, too.
    public static let appPassword = Additions(rawValue: 16)
    /// It guards the uses of a private key, and is no item's (`privateKeyUsage`).
    public static let privateKeyUsage = Additions(rawValue: 32)
    /// A match at a relaxed rate is refused, see `EvidenceSet.relaxedBiometry`.
    public static let strictMatch = Additions(rawValue: 128)
  }

  /// The constraints; empty only where there is an addition.
  public let constraints: Constraints
  /// How they combine; `and` where there is one at most.
  public let junction: Junction
  /// What is asked for besides.
  public let additions: Additions

  /// Whether a match at a relaxed rate is refused.
  package var requiresStrictMatch: Bool { additions.contains(.strictMatch) }
  /// Whether the key is made of an application password, too.
  package var needsAppPassword: Bool { additions.contains(.appPassword) }

  /// Why a combination is refused (`errSecParam`).
  public enum Problem: Error, Equatable, Sendable {
    case empty
    case unknown(String)
    /// `and` and `or` in one expression.
    case mixedJunctions
    /// `presence` already means biometry or passcode; only an application password goes with it.
    case presenceWithOthers
    /// Any and current biometry together.
    case bothBiometries
    /// A strict match is wanted where no finger is asked for.
    case strictWithoutFinger
  }

  /// A valid combination, or why it is none.
  public init(
    _ constraints: Constraints, joinedBy junction: Junction = .and, with additions: Additions = []
  ) throws(Problem) {
    guard !constraints.isEmpty || !additions.isDisjoint(with: [.appPassword, .privateKeyUsage])
    else { throw .empty }
    if constraints.contains(.presence), constraints != .presence { throw .presenceWithOthers }
    if constraints.isSuperset(of: [.biometryAny, .biometryCurrent]) { throw .bothBiometries }
    if additions.contains(.strictMatch), constraints.subtracting(.passcode).isEmpty {
      throw .strictWithoutFinger
    }
    self.constraints = constraints
    self.additions = additions
    let isSingle = constraints.rawValue & (constraints.rawValue &- 1) == 0
    self.junction = isSingle ? .and : junction
  }

  private static let names: [(name: String, constraint: Constraints)] = [
    ("presence", .presence), ("biometry-any", .biometryAny),
    ("biometry-current", .biometryCurrent), ("passcode", .passcode),
  ]
  private static let appPasswordName = "app-password"

  /// Reads `--access`: names joined by `and` or by `or`.
  public init(parsing text: String, with additions: Additions = []) throws(Problem) {
    var constraints: Constraints = []
    var additions = additions
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
      } else if word == Self.appPasswordName {
        additions.insert(.appPassword)
      } else {
        guard let found = Self.names.first(where: { $0.name == word }) else {
          throw .unknown(String(word))
        }
        constraints.insert(found.constraint)
      }
    }
    try self.init(constraints, joinedBy: junction ?? .and, with: additions)
  }

  /// As `--access` takes it and JSON shows it.
  public var text: String {
    let named = Self.names.filter { constraints.contains($0.constraint) }.map(\.name)
    return (named + (needsAppPassword ? [Self.appPasswordName] : []))
      .joined(separator: junction == .and ? " and " : " or ")
  }

  /// Whether the current set of fingers is one of the constraints.
  package var namesCurrentSet: Bool { constraints.contains(.biometryCurrent) }

  /// Whether nothing opens what it guards without the set of fingers it was sealed with. A single
  /// constraint is always joined by `and`.
  package var requiresCurrentSet: Bool { namesCurrentSet && junction == .and }

  /// What is left of it without some constraints; nil where nothing is.
  package func removing(_ others: Constraints) -> AccessControl? {
    let rest = constraints.subtracting(others)
    let asksForFinger = !rest.subtracting(.passcode).isEmpty
    return try? AccessControl(
      rest, joinedBy: junction,
      with: asksForFinger ? additions : additions.subtracting(.strictMatch))
  }

  /// What it asks the owner for: itself without an application password and without saying what it
  /// guards; nil where that is nothing.
  package var presenceAlone: AccessControl? {
    guard !constraints.isEmpty else { return nil }
    return try? AccessControl(
      constraints, joinedBy: junction, with: additions.intersection(.strictMatch))
  }

  /// Whether `evidence` satisfies it. Whether biometry-current still names the current set, and
  /// whether the application password is the right one, is for the enclave to add.
  package func isSatisfied(by evidence: EvidenceSet) -> Bool {
    isPresenceProved(by: evidence) && (!needsAppPassword || evidence.contains(.appPassword))
  }

  /// Whether `evidence` satisfies the constraints.
  package func isPresenceProved(by evidence: EvidenceSet) -> Bool {
    guard !constraints.isEmpty else { return true }
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

  /// Which single further proofs of presence help: those of which some set with `evidence`
  /// satisfies the constraints.
  package func helpfulEvidence(beyond evidence: EvidenceSet) -> EvidenceSet {
    guard !isPresenceProved(by: evidence) else { return [] }
    var helpful: EvidenceSet = []
    if constraints.contains(.presence) { helpful.formUnion([.biometry, .passcode]) }
    if constraints.contains(.biometryAny) || constraints.contains(.biometryCurrent) {
      helpful.insert(.biometry)
    }
    if constraints.contains(.passcode) { helpful.insert(.passcode) }
    if evidence.hasMatch(strict: requiresStrictMatch) { helpful.remove(.biometry) }
    return helpful.subtracting(evidence)
  }

  /// Two bytes: constraints and additions, junction.
  package func encode(into encoder: inout WireEncoder) {
    encoder.writeByte(constraints.rawValue | additions.rawValue)
    encoder.writeByte(junction.rawValue)
  }

  /// Reads the two bytes; a combination that cannot be made is an error.
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let (known, added): (Constraints, Additions) = (
      [.presence, .biometryAny, .biometryCurrent, .passcode],
      [.appPassword, .privateKeyUsage, .strictMatch]
    )
    let bits = try decoder.readByte()
    guard bits & ~(known.rawValue | added.rawValue) == 0,
      let junction = Junction(rawValue: try decoder.readByte())
    else {
      throw .invalidValue(field: "access control")
    }
    do {
      try self.init(
        Constraints(rawValue: bits & known.rawValue), joinedBy: junction,
        with: Additions(rawValue: bits & added.rawValue))
    } catch {
      throw .invalidValue(field: "access control")
    }
  }
}
