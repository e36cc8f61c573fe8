/// Which proofs of presence there are, or are asked for.
package struct EvidenceSet: OptionSet, Hashable, Sendable {
  /// The bits, as they cross walls.
  package let rawValue: UInt8

  /// A set from its bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The enclave compared a print and it matched an enrolled finger.
  package static let biometry = EvidenceSet(rawValue: 1)
  /// The enclave verified the owner's passcode.
  package static let passcode = EvidenceSet(rawValue: 2)

  /// Reads the bits; unknown ones are an error.
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    rawValue = try decoder.readByte()
    guard rawValue & ~3 == 0 else { throw .invalidValue(field: "evidence") }
  }
}
