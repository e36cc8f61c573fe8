import Cryptography
import Protocol

extension AppPasswordRecord {
  /// Bytes of a salt.
  static let saltSize = 32

  /// A key, wrapped by what `password` and `wrapping` make together, and once more by `wrapping`
  /// alone: so what is damaged is told from a wrong password, and a password is tried by nobody
  /// whom the rest does not let.
  func wrap(
    _ key: borrowing SymmetricKey, with password: HeldSecret,
    within wrapping: borrowing SymmetricKey, for associated: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    let inner = try self.key(for: password, and: wrapping).wrapping(key, for: associated)
    return try AES256GCM.seal(inner.span, with: wrapping, authenticating: associated)
  }

  /// The key of ``wrap(_:with:within:for:)``, whose outer layer is off.
  /// - Throws: `errSecAuthFailed` for another password.
  func unwrap(
    _ wrapped: borrowing SecretBytes, with password: HeldSecret,
    within wrapping: borrowing SymmetricKey, for associated: [UInt8]
  ) throws(Failure) -> SecretBytes {
    let combined = try cryptographic { () throws(CryptographyError) in
      try key(for: password, and: wrapping)
    }
    let inner = wrapped.copied
    do throws(CryptographyError) {
      return try AES256GCM.open(inner, with: combined, authenticating: associated)
    } catch {
      throw .wrongAppPassword
    }
  }

  /// The key that both make; slow on purpose.
  private func key(
    for password: HeldSecret, and wrapping: borrowing SymmetricKey
  ) throws(CryptographyError) -> SymmetricKey {
    let stretched = try cost.stretch(password.bytes, salt: salt)
    return try SymmetricKey.combining(wrapping.bytes, stretched, for: .appPassword)
  }

  func check() throws(DecodeError) {
    guard salt.count == Self.saltSize else { throw .invalidValue(field: "salt") }
  }
}
