import Cryptography
import Protocol

/// What a derived key is for. One purpose, one key: the names are part of the state format
/// (docs/cryptography.md).
enum KeyPurpose: String, CaseIterable, Sendable {
  /// Seals the keybag file. From the root key.
  case keybag = "keybag"
  /// Seals the attempts file. From the root key.
  case attempts = "attempts"
  /// Recognizes frames that were seen before. From the root key.
  case frames = "frames"
  /// Hashes the names that rows are found by. From the root key.
  case index = "index"
  /// Wraps class keys while no passcode is set. From the root key.
  case deviceClasses = "classes without passcode"
  /// From the stretched passcode and the root key.
  case passcode = "passcode"
  /// From the stretched passcode, the root key and what the TPM sealed for the passcode.
  case boundPasscode = "passcode with TPM"
  /// Authorizes that at the TPM. From the stretched passcode and the root key.
  case passcodeAuthorization = "TPM authorization of the passcode"
  /// Authorizes the counter of the TPM. From the root key.
  case counterAuthorization = "TPM authorization of the counter"
  /// Wraps class keys while a passcode is set. From the passcode key.
  case passcodeClasses = "classes with passcode"
  /// Recognizes a wrong passcode that was given before. From the passcode key.
  case triedPasscode = "tried passcode"
  /// Proves which generation something was sealed under. From the root key.
  case generationMarks = "generation marks"
  /// A class key of one generation. From a class key and the secret of the generation.
  case generation = "generation"
  /// Wraps the keys of items. From a class key, and the keys their access control adds.
  case items = "items"
  /// Wraps private keys. From a class key, and the keys their access control adds.
  case privateKeys = "private keys"
  /// Wraps the key of what an application password guards. From the other wrapping key and the
  /// stretched password.
  case appPassword = "application password"
  /// Seals attributes. From a class key.
  case attributes = "attributes"
  /// Seals templates. From the class key of after-first-unlock.
  case templates = "templates"
  /// The domain state that others may see. From the key of the finger set.
  case domainState = "domain state"

  var name: [UInt8] { Array("authcore enclave 1 \(rawValue)".utf8) }
}

extension SymmetricKey {
  borrowing func derivedKey(for purpose: KeyPurpose) throws(CryptographyError) -> SymmetricKey {
    try derivedKey(for: purpose.name)
  }
}

extension SymmetricKey {
  static func combining(
    _ first: borrowing SecretBytes, _ second: borrowing SecretBytes, for purpose: KeyPurpose
  ) throws(CryptographyError) -> SymmetricKey {
    var encoder = WireEncoder(capacity: 128)
    encoder.writeSecret(first)
    encoder.writeSecret(second)
    let all = encoder.finish()
    return try SymmetricKey(
      try HKDFSHA256.deriveKey(from: all.bytes, salt: [], purpose: purpose.name, count: size))
  }

  borrowing func wrapping(
    _ key: borrowing SymmetricKey, for purpose: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    try AES256GCM.seal(key.bytes.bytes, with: self, authenticating: purpose)
  }

  borrowing func unwrapping(
    _ wrapped: [UInt8], for purpose: [UInt8]
  ) throws(CryptographyError) -> SymmetricKey {
    try SymmetricKey(try AES256GCM.open(wrapped, with: self, authenticating: purpose))
  }
}

/// A key that several tables share; wiped with the last reference.
final class HeldKey: Sendable {
  let key: SymmetricKey

  init(_ key: consuming SymmetricKey) { self.key = key }

  init(_ bytes: consuming SecretBytes) throws(CryptographyError) {
    key = try SymmetricKey(bytes)
  }
}

/// A secret that several values share; wiped with the last reference.
final class HeldSecret: Sendable {
  let bytes: SecretBytes

  init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
