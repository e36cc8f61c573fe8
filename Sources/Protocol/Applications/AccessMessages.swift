/// Has what an access control asks the owner for proved in the context that the request names, or in
/// one of its own, without an item (`LAContext.evaluateAccessControl`). An application password is
/// left out: there is nothing that it could be compared with. Reply: ``Done``, or
/// ``EvidenceNeeded``, which the core answers by prompting. Failures: `passcodeNotSet` where the
/// owner is asked for anything, `invalidContext`.
package struct RequireAccess: EngineMessage, Equatable, WireField {
  package static var number: UInt8 { 141 }
  package static var engine: AddressedEngine { .enclave }
  package static var replyNumber: UInt8 { Done.number }
  package let accessControl: AccessControl
  package init(accessControl: AccessControl) { self.accessControl = accessControl }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(accessControl) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    accessControl = try decoder.read()
  }
}
