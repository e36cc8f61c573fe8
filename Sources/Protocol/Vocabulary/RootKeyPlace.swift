extension RootKeyPlace {
  /// As `authcore status` names it.
  package var name: String { self == .tpm ? "tpm" : "file" }
}
