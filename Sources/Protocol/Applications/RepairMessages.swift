// What the command of the device's owner asks of the keychain about its file. The keychain takes it
// from no other application.

/// Looks at the file and at everything in it, and changes nothing. Reply: ``KeychainChecked``.
/// Failures: `errSecMissingEntitlement`, `storageFailed`, `busy`, `stateDamaged` (of a later
/// version, or of another program).
package struct CheckKeychain: EngineMessage, EmptyMessage, Equatable {
  package static var number: UInt8 { 110 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { KeychainChecked.number }
  package init() {}
}

/// What is in the file, and what is wrong with it.
package struct KeychainChecked: WireMessage, Equatable {
  package static var number: UInt8 { 111 }
  package let findings: KeychainFindings
  package init(findings: KeychainFindings) { self.findings = findings }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(findings) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    findings = try decoder.read()
  }
}

/// Puts what can be read of a damaged file into a new one, and the damaged one aside. Does nothing
/// where nothing is lost by waiting. Reply: ``KeychainRepaired``. Failures: as ``CheckKeychain``.
package struct RepairKeychain: EngineMessage, EmptyMessage, Equatable {
  package static var number: UInt8 { 112 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { KeychainRepaired.number }
  package init() {}
}

/// What was recovered.
package struct KeychainRepaired: WireMessage, Equatable {
  package static var number: UInt8 { 113 }
  /// Of the damaged file.
  package let findings: KeychainFindings
  /// Where that lies; nil where there was nothing to repair.
  package let setAside: String?
  package init(findings: KeychainFindings, setAside: String?) {
    self.findings = findings
    self.setAside = setAside
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(findings, setAside)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (findings, setAside) = try decoder.read()
  }
}

/// What is in a keychain, and what is wrong with it.
package struct KeychainFindings: Equatable, WireField {
  /// What is wrong with the file as a whole, a sentence each, at most ``mostProblems``.
  package var problems: [String] = []
  /// Items and keys that can be read, those that are not looked into included.
  package var items: UInt32 = 0
  package var keys: UInt32 = 0
  /// How many of them are not looked into, because their class is closed or their keys are not at
  /// hand.
  package var unopened: UInt32 = 0
  /// Items that can be read but for their secrets, and keys that cannot be used any more; at most
  /// ``mostDamaged``. `damagedCount` counts them all.
  package var damaged: [DamagedEntry] = []
  package var damagedCount: UInt32 = 0
  /// Items and keys that were there and cannot be read.
  package var lost: UInt32 = 0
  /// Whether more may be lost than can be counted.
  package var mayHaveLostMore = false

  package static let mostProblems = 20
  package static let mostDamaged = 100

  /// Nothing looked at.
  package init() {}

  /// Whether a new file would be better than this one.
  package var needsRepair: Bool { !problems.isEmpty || lost > 0 || mayHaveLostMore }

  /// Whether anything is wrong.
  package var isDamaged: Bool { needsRepair || damagedCount > 0 }

  /// Notes an entry of which a part is damaged.
  package mutating func note(_ entry: DamagedEntry) {
    damagedCount += 1
    if damaged.count < Self.mostDamaged { damaged.append(entry) }
  }

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(problems, items, keys, unopened)
    encoder.write(damaged, damagedCount, lost, mayHaveLostMore)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (problems, items, keys, unopened) = try decoder.read()
    (damaged, damagedCount, lost, mayHaveLostMore) = try decoder.read()
  }
}

/// One item or key of which a part is damaged.
package struct DamagedEntry: Equatable, WireField {
  /// As in ``ItemAttributes`` and ``EnclaveKey``.
  package let identifier: String
  /// For people; empty where it is another application's.
  package let name: String
  package let isKey: Bool
  package init(identifier: String, name: String, isKey: Bool) {
    self.identifier = identifier
    self.name = name
    self.isKey = isKey
  }
  package func encode(into encoder: inout WireEncoder) { encoder.write(identifier, name, isKey) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (identifier, name, isKey) = try decoder.read()
  }
}
