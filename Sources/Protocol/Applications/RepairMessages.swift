// What the command of the device's owner asks of the keychain about its file. The keychain takes it
// from no other application.

extension KeychainFindings {
  package static let mostProblems = 20

  package static let mostDamaged = 100

  /// Whether a new file would be better than this one.
  package var needsRepair: Bool { !problems.isEmpty || lost > 0 || mayHaveLostMore }

  /// Whether anything is wrong.
  package var isDamaged: Bool { needsRepair || damagedCount > 0 }

  /// Notes an entry of which a part is damaged.
  package mutating func note(_ entry: DamagedEntry) {
    damagedCount += 1
    if damaged.count < Self.mostDamaged { damaged.append(entry) }
  }
}
