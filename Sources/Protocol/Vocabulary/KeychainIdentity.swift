/// A certificate together with the key of the enclave's that it is for (`kSecClassIdentity`): the
/// hash of the certificate's public key is the application label of the key.
package struct KeychainIdentity: Equatable, WireField {
  /// Of the certificate's item.
  package let certificate: ItemAttributes
  package let key: EnclaveKey
  package init(certificate: ItemAttributes, key: EnclaveKey) {
    self.certificate = certificate
    self.key = key
  }

  package func encode(into encoder: inout WireEncoder) { encoder.write(certificate, key) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (certificate, key) = try decoder.read()
  }
}
