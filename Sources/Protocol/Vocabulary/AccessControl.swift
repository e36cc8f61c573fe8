/// A set of proofs of presence.
package struct EvidenceSet: OptionSet, Hashable, WireField {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The enclave compared a print and it matched an enrolled finger at the strict rate.
  package static let biometry = EvidenceSet(rawValue: 1)
  /// The enclave verified the owner's passcode.
  package static let passcode = EvidenceSet(rawValue: 2)
  /// A print matched a finger of a small sensor at the relaxed rate that its owner chose. It is
  /// weaker than ``biometry``, and an item may refuse it.
  package static let relaxedBiometry = EvidenceSet(rawValue: 4)
  /// An application password was given. It proves no presence; whether it is the right one shows
  /// when an item is opened.
  package static let appPassword = EvidenceSet(rawValue: 8)
  /// A chip said that a finger matched, of which its owner agreed to no more than this: it proves
  /// presence like the passcode, and opens nothing that asks for a finger.
  package static let chipPresence = EvidenceSet(rawValue: 16)

  /// Whether a finger matched at the strict rate or, unless `strict`, at a relaxed one.
  package func hasMatch(strict: Bool) -> Bool {
    contains(.biometry) || (!strict && contains(.relaxedBiometry))
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    rawValue = try decoder.readByte()
    guard rawValue & ~31 == 0 else { throw .invalidValue(field: "evidence") }
  }
}

/// What has to be proved before an item opens or a private key is used (`SecAccessControl`,
/// APPLE.md 1.5; A1, A2).
///
/// There are up to three constraints, joined by *and* or by *or*. An application password is not a
/// constraint but enters the key: it is needed however the constraints are joined. The two bytes of
/// `encode(into:)` are authenticated together with the item.
public struct AccessControl: Hashable, WireField {
  public enum Junction: UInt8, WireField {
    case and = 1
    case or = 2
  }

  public struct Constraints: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Biometry or the passcode; no finger has to be enrolled.
    public static let presence = Constraints(rawValue: 1)
    /// A finger enrolled at the time of use.
    public static let biometryAny = Constraints(rawValue: 2)
    /// A finger, as long as the set of fingers is the one at the time of sealing.
    public static let biometryCurrent = Constraints(rawValue: 4)
    public static let passcode = Constraints(rawValue: 8)
  }

  /// What an access control demands beside its constraints.
  public struct Additions: OptionSet, Hashable, Sendable {
    /// The bits, as they cross walls; no constraint has the same.
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The key is also derived from a password of the application.
    public static let appPassword = Additions(rawValue: 16)
    /// It guards the use of a private key, not an item (`privateKeyUsage`).
    public static let privateKeyUsage = Additions(rawValue: 32)
    /// Its owner agreed that one proof may serve several signatures of an SSH agent.
    public static let reusable = Additions(rawValue: 64)
    /// A match at a relaxed rate is refused, see `EvidenceSet.relaxedBiometry`.
    public static let strictMatch = Additions(rawValue: 128)
  }

  /// Empty only if there is an addition.
  public let constraints: Constraints
  /// How the constraints combine; `and` if there is at most one.
  public let junction: Junction
  public let additions: Additions

  package var requiresStrictMatch: Bool { additions.contains(.strictMatch) }
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
    /// A strict match is demanded, but no finger.
    case strictWithoutFinger
  }

  /// - Throws: why the combination is not valid.
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

  /// Whether what it guards opens only with the set of fingers it was sealed with. A single
  /// constraint is always joined by `and`.
  package var requiresCurrentSet: Bool { namesCurrentSet && junction == .and }

  /// This access control without some constraints, or nil if nothing is left.
  package func removing(_ others: Constraints) -> AccessControl? {
    let rest = constraints.subtracting(others)
    let asksForFinger = !rest.subtracting(.passcode).isEmpty
    return try? AccessControl(
      rest, joinedBy: junction,
      with: asksForFinger ? additions : additions.subtracting(.strictMatch))
  }

  /// What it demands of the owner, without an application password and without what it guards, or
  /// nil if that is nothing.
  package var presenceAlone: AccessControl? {
    guard !constraints.isEmpty else { return nil }
    return try? AccessControl(
      constraints, joinedBy: junction, with: additions.intersection(.strictMatch))
  }

  /// Whether `evidence` satisfies it. The enclave also checks that biometry-current names the
  /// current set and that the application password is the right one.
  package func isSatisfied(by evidence: EvidenceSet) -> Bool {
    isPresenceProved(by: evidence) && (!needsAppPassword || evidence.contains(.appPassword))
  }

  /// Whether `evidence` satisfies the constraints.
  func isPresenceProved(by evidence: EvidenceSet) -> Bool {
    guard !constraints.isEmpty else { return true }
    var results: [Bool] = []
    let hasMatch = evidence.hasMatch(strict: requiresStrictMatch)
    let hasPasscode = evidence.contains(.passcode)
    if constraints.contains(.presence) {
      results.append(hasMatch || hasPasscode || evidence.contains(.chipPresence))
    }
    if constraints.contains(.biometryAny) || constraints.contains(.biometryCurrent) {
      results.append(hasMatch)
    }
    if constraints.contains(.passcode) { results.append(hasPasscode) }
    return junction == .and ? results.allSatisfy { $0 } : results.contains(true)
  }

  /// The single further proofs that help: those with which some set that contains `evidence`
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

  /// Reads the two bytes; an invalid combination is an error.
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let (known, added): (Constraints, Additions) = (
      [.presence, .biometryAny, .biometryCurrent, .passcode],
      [.appPassword, .privateKeyUsage, .reusable, .strictMatch]
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
