import Protocol

/// An object of Security's that stands for an item of the keychain's, or could: a `SecKey`, a
/// `SecCertificate`, a `SecIdentity`.
protocol ItemReference: AnyObject {
  /// What storing it stores, and what its item is found by.
  /// - Throws: `unsupported` for what the keychain does not keep.
  func referencedItem() throws(Failure) -> ReferencedItem
}

/// What an object stands for.
enum ReferencedItem {
  case certificate([UInt8])
  case key(ReferencedKey)
  /// A certificate in DER with its private key.
  case identity(certificate: [UInt8], key: ReferencedKey)
}

/// A key that an object stands for.
enum ReferencedKey {
  /// In the enclave: it is stored already.
  case enclave(EnclaveKey)
  /// Anywhere else.
  case software(SoftwareKeyItem)
}

/// A key that is not in the enclave, as the keychain keeps it: an item of the class `key`.
final class SoftwareKeyItem: Sendable {
  /// What it is described by and found by: the application label, kind, half and size at least.
  let attributes: AttributeValues
  /// The key itself, as `SecKeyCopyExternalRepresentation` gives it.
  let representation: SecretBytes

  init(attributes: AttributeValues, representation: consuming SecretBytes) {
    self.attributes = attributes
    self.representation = representation
  }
}
