import Cryptography
import Wire

/// How the passcode is stretched. The passcode itself is stored nowhere: it is right when it
/// unwraps the class keys.
struct PasscodeRecord: Equatable, Sendable {
  /// The cost, chosen once on this machine.
  let cost: Scrypt
  /// 32 random bytes, new with every passcode.
  let salt: [UInt8]

  /// Bytes of a salt.
  static let saltSize = 32

  /// The passcode key of `passcode`; slow on purpose.
  ///
  /// The passcode's length goes in front of it, because HMAC inside of scrypt fills keys up with
  /// zeros: without it "a" and "a" with a zero byte behind would be one passcode.
  func key(
    for passcode: borrowing SecretBytes, root: borrowing RootKey
  ) throws(CryptographyError) -> SymmetricKey {
    var encoder = WireEncoder(capacity: passcode.count + 4)
    encoder.writeSecret(passcode)
    let input = encoder.finish()
    let stretched = try cost.deriveKey(
      from: input.bytes, salt: salt, count: SymmetricKey.size)
    return try root.passcodeKey(stretched: stretched)
  }

  func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt64(cost.cost)
    encoder.writeUInt32(cost.blockSize)
    encoder.writeUInt32(cost.parallelism)
    encoder.writeBytes(salt)
  }

  init(cost: Scrypt, salt: [UInt8]) {
    self.cost = cost
    self.salt = salt
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    guard
      let cost = Scrypt(
        cost: try decoder.readUInt64(), blockSize: try decoder.readUInt32(),
        parallelism: try decoder.readUInt32())
    else { throw .invalidValue(field: "scrypt parameters") }
    self.cost = cost
    salt = try decoder.readBytes(limit: Self.saltSize)
  }
}
