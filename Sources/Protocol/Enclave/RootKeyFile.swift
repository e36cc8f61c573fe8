/// How the file of a root key begins, by which the core tells where the key is (docs/enclave-state.md).
package enum RootKeyFile {
  /// The file's name.
  package static let name = "root.key"
  /// No such file is longer, in bytes.
  package static let limit = 4096
  /// Its first field.
  package static let magic = "authcore root key"
  /// The version of a file that holds the key.
  package static let fileVersion: UInt32 = 1
  /// The version of a file that holds what a TPM needs to give the key.
  package static let boundVersion: UInt32 = 2

  /// Where the key is that a file is of; nil: it is no such file.
  package static func place(_ file: Span<UInt8>) -> RootKeyPlace? {
    do throws(DecodeError) {
      var decoder = WireDecoder(file)
      guard try decoder.readText(limit: 64) == magic else { return nil }
      switch try decoder.readUInt32() {
      case fileVersion: return .file
      case boundVersion: return .tpm
      default: return nil
      }
    } catch {
      return nil
    }
  }
}

extension RootKeyPlace {
  /// As `authcore status` names it.
  package var name: String { self == .tpm ? "tpm" : "file" }
}
