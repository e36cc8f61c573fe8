// What applications ask of the keychain about P-256 keys that never leave the enclave, and what it
// answers. There is no message that brings a private key in or out.

extension KeyUsed {
  /// Gives the message up for what came of it.
  package consuming func takeOutput() -> SecretBytes { output }
}
