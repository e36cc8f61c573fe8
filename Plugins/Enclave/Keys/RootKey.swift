import Cryptography
import Protocol

/// The secret of this device, to which everything the enclave stores is bound.
///
/// It never leaves this type; others get keys derived for a purpose.
struct RootKey: ~Copyable {
  private let key: SymmetricKey
  /// The TPM that keeps it; nil if a file does.
  private(set) var guardian: TPMGuardian?

  /// A root key for a file.
  init(_ key: consuming SymmetricKey) { self.key = key }

  var place: RootKeyPlace { guardian == nil ? .file : .tpm }

  borrowing func derivedKey(for purpose: KeyPurpose) throws(CryptographyError) -> SymmetricKey {
    try key.derivedKey(for: purpose.name)
  }

  /// A key that needs both the stretched passcode and this device (K5).
  borrowing func derivedKey(
    for purpose: KeyPurpose, stretched: borrowing SecretBytes
  ) throws(CryptographyError) -> SymmetricKey {
    try SymmetricKey.combining(stretched, key.bytes, for: purpose)
  }

  // MARK: The TPM

  /// Makes a binding to the present TPM.
  borrowing func bound(
    to tpm: PlatformTPM, on platform: any EnclavePlatform
  ) throws(Failure) -> TPMGuardian {
    try TPMGuardian.bind(key, to: tpm, on: platform)
  }

  /// Begins another binding, or ends the present one. Stores nothing; the TPM keeps its counter.
  mutating func use(_ other: TPMGuardian?) { guardian = other }

  // MARK: The file

  /// The file's bytes; with a TPM, without the key.
  borrowing func encoded() throws(CryptographyError) -> SecretBytes {
    var encoder = WireEncoder()
    encoder.writeText(Self.magic)
    if let guardian {
      encoder.writeUInt32(Self.boundVersion)
      guardian.binding.encode(into: &encoder)
      encoder.writeBytes(try Self.check(key.bytes, guardian.binding))
    } else {
      encoder.writeUInt32(Self.fileVersion)
      encoder.writeSecret(key.bytes)
      encoder.writeBytes(try Self.check(key.bytes, nil))
    }
    return encoder.finish()
  }

  /// Reads the file, with the TPM if it is bound to one.
  /// - Throws: `stateDamaged`, or what is wrong with the TPM.
  static func load(
    _ file: borrowing SecretBytes, _ tpm: PlatformTPM, on platform: any EnclavePlatform
  ) throws(Failure) -> RootKey {
    let contents = try StoredState.named(fileName) { () throws(StateDamage) in try read(file) }
    guard let binding = contents.binding else {
      return try opened(contents.key.duplicate(), nil, contents.check)
    }
    let bytes = try TPMGuardian.rootKey(binding, from: tpm)
    var root = try opened(bytes, binding, contents.check)
    root.guardian = try TPMGuardian(tpm, on: platform, binding, root: root.key)
    return root
  }

  private static func opened(
    _ bytes: consuming SecretBytes, _ binding: TPMBinding?, _ expected: [UInt8]
  ) throws(Failure) -> RootKey {
    do throws(CryptographyError) {
      if try check(bytes, binding) == expected { return RootKey(try SymmetricKey(bytes)) }
    } catch {}
    throw StateDamage.changed.failure(file: fileName)
  }

  private struct Contents: ~Copyable {
    /// Empty with a binding.
    let key: SecretBytes
    let binding: TPMBinding?
    let check: [UInt8]
  }

  private static func read(_ file: borrowing SecretBytes) throws(StateDamage) -> Contents {
    do {
      var decoder = WireDecoder(file.bytes)
      guard try decoder.readText(limit: 64) == magic else { throw StateDamage.notOurs }
      let version = try decoder.readUInt32()
      guard fileVersion...boundVersion ~= version else {
        throw StateDamage.otherVersion(version)
      }
      let binding = version == boundVersion ? try TPMBinding(from: &decoder) : nil
      let key =
        binding == nil ? try decoder.readSecret(limit: SymmetricKey.size) : SecretBytes(count: 0)
      let check = try decoder.readBytes(limit: 32)
      try decoder.finish()
      return Contents(key: key, binding: binding, check: check)
    } catch let damage as StateDamage {
      throw damage
    } catch {
      throw .changed
    }
  }

  private static let magic = RootKeyFile.magic
  private static let fileVersion = RootKeyFile.fileVersion
  private static let boundVersion = RootKeyFile.boundVersion

  /// Tells a damaged root key from a damaged keybag, and detects a changed binding. A hash of 256
  /// random bits reveals nothing about them.
  private static func check(
    _ key: borrowing SecretBytes, _ binding: TPMBinding?
  ) throws(CryptographyError) -> [UInt8] {
    var encoder = WireEncoder()
    binding?.encode(into: &encoder)
    let message = Array(magic.utf8) + encoder.finishPlain()
    return try HMACSHA256.code(for: message.span, with: key)
  }
}
