import Protocol

extension EnclaveLink {
  /// Has a private key made.
  func generateKey(_ protection: ItemProtection) throws(Failure) -> GeneratedKey {
    try decode(call(GenerateKey(protection: protection).encoded()))
  }

  /// Uses a private key; what came of it goes to the application as it is, what the context lacks with
  /// the key's name.
  func use(
    _ sealed: [UInt8], as protection: ItemProtection, for request: UseKey
  ) throws(Failure) -> SecretBytes {
    let capacity = sealed.count + request.input.count + 512
    let reply = try call(
      UseSealedKey(
        protection: protection, sealed: sealed, operation: request.operation, input: request.input
      ).encoded(capacity: capacity))
    guard Self.kind(of: reply) == EvidenceNeeded.number else { return reply }
    let needed: EvidenceNeeded = try decode(reply)
    // The name by which it was found.
    return needed.naming(request.query.name).encoded()
  }
}
