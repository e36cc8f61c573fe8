import Cryptography
import Protocol
import TrustedPlatform

/// How the passcode is stretched, and how often it may be guessed. The passcode itself is stored
/// nowhere: it is right when it unwraps the class keys.
struct PasscodeRecord: Equatable, Sendable {
  /// The cost, chosen once on this machine.
  let cost: Scrypt
  /// 32 random bytes, new with every passcode.
  let salt: [UInt8]
  /// After so many different wrong passcodes in a row everything is destroyed; 0: never.
  var eraseAfter: UInt32
  /// Whether it was set in the form that clients bring passcodes into (NFC); if not, as it was
  /// typed.
  let isNormalized: Bool
  /// A random secret that the passcode key needs besides, new with every passcode, sealed by the TPM
  /// for whoever has the passcode; nil where the root key lies in a file.
  let guarded: SealedObject?

  /// Bytes of a salt.
  static let saltSize = 32

  func encode(into encoder: inout WireEncoder) {
    encoder.write(cost)
    encoder.writeBytes(salt)
    encoder.write(eraseAfter, isNormalized)
    encoder.write(guarded)
  }

  init(
    cost: Scrypt, salt: [UInt8], eraseAfter: UInt32, isNormalized: Bool,
    guarded: SealedObject?
  ) {
    self.cost = cost
    self.salt = salt
    self.eraseAfter = eraseAfter
    self.isNormalized = isNormalized
    self.guarded = guarded
  }

  /// Reads the record of a keybag of `version`.
  init(from decoder: inout WireDecoder, version: UInt32) throws(DecodeError) {
    cost = try decoder.read()
    salt = try decoder.readBytes(limit: Self.saltSize)
    eraseAfter = version < Keybag.firstWithErasure ? 0 : try decoder.readUInt32()
    isNormalized = version < Keybag.firstWithNormalizedPasscode ? false : try decoder.read()
    let isGuarded = version < Keybag.firstWithTPM ? false : try decoder.readBoolean()
    guarded = isGuarded ? try SealedObject(from: &decoder) : nil
  }
}
