import Protocol

extension EnclaveLink {
  /// Has a private key made.
  func generateKey(_ protection: ItemProtection) throws(Failure) -> GeneratedKey {
    try decode(call(GenerateKey(protection: protection).encoded()))
  }

  /// Uses a private key; what came of it, or what the context lacks, goes to the application as it
  /// is.
  func use(
    _ sealed: [UInt8], as protection: ItemProtection, for request: UseKey
  ) throws(Failure) -> SecretBytes {
    let capacity = sealed.count + request.input.count + 512
    return try call(
      UseSealedKey(
        protection: protection, sealed: sealed, operation: request.operation, input: request.input
      ).encoded(capacity: capacity))
  }
}
