/// How many contexts there can be at a time; beyond that the enclave answers `busy`.
package enum ContextLimits {
  /// Of one connection.
  package static let ofConnection = 32
  /// Those of them that a connection has whatever others do: one for the request under way, and one
  /// that outlives it.
  package static let certain = 2
  /// What all connections together have beyond those.
  package static let shared = 72 * ofConnection
}

/// Makes an empty context under a number of the core's, for the requester that it names and nobody
/// else. Reply: ``Done``. Failure: `busy` where the connection, or all together, have too many.
package struct OpenContext: WireMessage {
  package static var number: UInt8 { 6 }
  package let context: ContextName
  /// Match evidence of an unlock by touch at most this many seconds ago counts
  /// (0…``longestReuse``, `--reuse`).
  package let reuseSeconds: UInt32
  /// Whether the client closes it, not the core at the end of one request. It ends then with a
  /// lock, or a change of the passcode or of the fingers, and changes neither of them.
  package let outlivesRequest: Bool
  package init(context: ContextName, reuseSeconds: UInt32 = 0, outlivesRequest: Bool = false) {
    self.context = context
    self.reuseSeconds = reuseSeconds
    self.outlivesRequest = outlivesRequest
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(context, reuseSeconds, outlivesRequest)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (context, reuseSeconds, outlivesRequest) = try decoder.read()
    guard reuseSeconds <= longestReuse else { throw .invalidValue(field: "reuse interval") }
  }
}

/// A request that says nothing but which context is meant; `code` is its number.
package struct ContextRequest<let code: Int>: WireMessage {
  package static var number: UInt8 { UInt8(code) }
  package let context: ContextName
  package init(context: ContextName) { self.context = context }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(context) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { context = try decoder.read() }
}

/// Wipes a context, its evidence and its sessions. Reply: ``Done``, also where there is none of
/// that name.
package typealias CloseContext = ContextRequest<7>
/// Asks which evidence a context holds. Reply: ``ContextEvidence``. Failure: `invalidContext`.
package typealias GetContextEvidence = ContextRequest<8>
/// Forgets what was proved in a context, which stays open. Reply: ``Done``, also where there is
/// none of that name.
package typealias ForgetEvidence = ContextRequest<11>

/// Closes all contexts of a connection, because it ended or another process speaks through it.
/// Reply: ``Done``.
package struct CloseContexts: WireMessage {
  package static var number: UInt8 { 20 }
  package let requester: Requester
  package init(of requester: Requester) { self.requester = requester }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(requester) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    requester = try decoder.read()
  }
}

/// What has been proved in a context and counts at this moment.
package struct ContextEvidence: WireMessage, Equatable {
  package static var number: UInt8 { 9 }
  package let evidence: EvidenceSet
  /// The name of the finger that matched, where one did.
  package let finger: String?
  /// How long ago it matched, in seconds; nil where none did.
  package let matchAge: UInt32?
  /// How long ago the passcode was given, in seconds; nil where it was not.
  package let passcodeAge: UInt32?
  package init(
    evidence: EvidenceSet, finger: String?, matchAge: UInt32? = nil, passcodeAge: UInt32? = nil
  ) {
    self.evidence = evidence
    self.finger = finger
    self.matchAge = matchAge
    self.passcodeAge = passcodeAge
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(evidence, finger, matchAge, passcodeAge)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (evidence, finger, matchAge, passcodeAge) = try decoder.read()
  }
}
