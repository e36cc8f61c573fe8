/// Where the secret of a device is kept.
package enum RootKeyPlace: UInt8, WireField {
  /// In a file that only the service may read.
  case file = 1
  /// Sealed by a TPM 2.0.
  case tpm = 2

  /// As `authcore status` names it.
  package var name: String { self == .tpm ? "tpm" : "file" }
}
