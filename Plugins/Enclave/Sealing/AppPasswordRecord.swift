import Cryptography
import Protocol

/// How the application password of one sealed secret is stretched. Authenticated with the secret,
/// so that it is believed before anything expensive is done with it.
struct AppPasswordRecord: Equatable, Sendable {
  /// The cost; one for all that this version seals.
  let cost: Scrypt
  /// 32 random bytes, of this secret alone.
  let salt: [UInt8]

  /// Bytes of a salt.
  static let saltSize = 32

  init(cost: Scrypt, salt: [UInt8]) {
    self.cost = cost
    self.salt = salt
  }

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
    let inner = wrapped.bytes.indices.map { wrapped.bytes[$0] }
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

  func encode(into encoder: inout WireEncoder) {
    encoder.write(cost)
    encoder.writeBytes(salt)
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    cost = try decoder.read()
    salt = try decoder.readBytes(limit: Self.saltSize)
    guard salt.count == Self.saltSize else { throw .invalidValue(field: "salt") }
  }
}
