// What applications ask of the enclave when they take items out of the keychain.

/// Has the owner's passcode proved in the context that the request names, or in one of its own: a
/// finger is not enough. Reply: ``Done``, or ``EvidenceNeeded``, which the core answers by
/// prompting. Failure: `passcodeNotSet`.
package struct RequirePasscode: EngineMessage, EmptyMessage, Equatable, WireField {
  package static var number: UInt8 { 140 }
  package static var engine: AddressedEngine { .enclave }
  package static var replyNumber: UInt8 { Done.number }
  package init() {}
}
