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
  func key(
    for passcode: borrowing SecretBytes, root: borrowing RootKey
  ) throws(CryptographyError) -> SymmetricKey {
    try root.passcodeKey(stretched: try cost.stretch(passcode, salt: salt))
  }

  func encode(into encoder: inout WireEncoder) {
    encoder.write(cost)
    encoder.writeBytes(salt)
  }

  init(cost: Scrypt, salt: [UInt8]) {
    self.cost = cost
    self.salt = salt
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    cost = try decoder.read()
    salt = try decoder.readBytes(limit: Self.saltSize)
  }
}
