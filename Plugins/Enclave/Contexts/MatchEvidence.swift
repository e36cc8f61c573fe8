/// A print matched: which finger, of which set, when.
struct MatchEvidence: Equatable, Sendable {
  /// Who compared.
  enum Comparison: Equatable, Sendable {
    /// This enclave, with a template of its own.
    case enclave
    /// The sensor; weaker, because the device's word is all there is.
    case device
  }

  /// The finger's identifier.
  let finger: UInt32
  /// The domain state at that moment.
  let domainState: [UInt8]
  /// Nanoseconds since boot.
  let time: UInt64
  /// Who compared.
  var comparison = Comparison.enclave
}
