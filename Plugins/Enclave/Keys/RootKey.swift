import Cryptography
import Wire

/// The secret of this device: everything the enclave stores is bound to it.
///
/// It never leaves this type: others get keys derived for a purpose.
struct RootKey: ~Copyable {
  /// Where the root key is kept.
  enum Kind: String, Sendable {
    /// In a file that only the service may read.
    case file
    /// Sealed by a TPM 2.0.
    case tpm
  }

  /// Where this one is kept.
  let kind: Kind
  private let key: SymmetricKey

  init(_ kind: Kind, _ key: consuming SymmetricKey) {
    self.kind = kind
    self.key = key
  }

  /// A key for one purpose.
  borrowing func derivedKey(for purpose: KeyPurpose) throws(CryptographyError) -> SymmetricKey {
    try key.derivedKey(for: purpose.name)
  }

  /// The passcode key: needs both the passcode, as scrypt stretched it, and this device (K5).
  borrowing func passcodeKey(
    stretched: borrowing SecretBytes
  ) throws(CryptographyError) -> SymmetricKey {
    try SymmetricKey.combining(stretched, key.bytes, for: .passcode)
  }

  /// The file form of the key.
  borrowing func encoded() throws(CryptographyError) -> SecretBytes {
    var encoder = WireEncoder()
    encoder.writeText(Self.magic)
    encoder.writeUInt32(Self.version)
    encoder.writeSecret(key.bytes)
    encoder.writeBytes(try Self.check(key.bytes))
    return encoder.finish()
  }

  /// Reads the file form.
  static func decode(_ file: borrowing SecretBytes) throws(StateDamage) -> RootKey {
    do {
      var decoder = WireDecoder(file.bytes)
      guard try decoder.readText(limit: 64) == magic else { throw StateDamage.notOurs }
      let found = try decoder.readUInt32()
      guard found == version else { throw StateDamage.otherVersion(found) }
      let key = try SymmetricKey(try decoder.readSecret(limit: SymmetricKey.size))
      let check = try decoder.readBytes(limit: 32)
      try decoder.finish()
      guard try Self.check(key.bytes) == check else { throw StateDamage.changed }
      return RootKey(.file, key)
    } catch let damage as StateDamage {
      throw damage
    } catch {
      throw .changed
    }
  }

  private static let magic = "authcore root key"
  private static let version: UInt32 = 1

  /// Tells a damaged root key from a damaged keybag. A hash of 256 random bits tells nothing about
  /// them.
  private static func check(_ key: borrowing SecretBytes) throws(CryptographyError) -> [UInt8] {
    let message = Array(magic.utf8)
    return try HMACSHA256.code(for: message.span, with: key)
  }
}
