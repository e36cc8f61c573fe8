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
