import Cryptography
import Protocol
import TrustedPlatform

/// How the passcode is stretched, and how often it may be guessed. The passcode itself is not
/// stored: it is right if it unwraps the class keys.
struct PasscodeRecord: Equatable, Sendable {
  /// Chosen once on this machine.
  let cost: Scrypt
  /// 32 random bytes, new with every passcode.
  let salt: [UInt8]
  /// The number of different wrong passcodes in a row that erases everything; 0: never.
  var eraseAfter: UInt32
  /// Whether it was set in the form that clients normalize to (NFC), not as typed.
  let isNormalized: Bool
  /// A random secret that also enters the passcode key, new with every passcode, which the TPM
  /// gives to the passcode's holder; nil if the root key lies in a file.
  let guarded: SealedObject?

  static let saltSize = 32

  func encode(into encoder: inout WireEncoder) {
    encoder.write(cost)
    encoder.writeBytes(salt)
    encoder.write(eraseAfter, isNormalized)
    encoder.write(guarded)
  }
}

extension PasscodeRecord {
  init(from decoder: inout WireDecoder, version: UInt32) throws(DecodeError) {
    cost = try decoder.read()
    salt = try decoder.readBytes(limit: Self.saltSize)
    eraseAfter = version < Keybag.firstWithErasure ? 0 : try decoder.readUInt32()
    isNormalized = version < Keybag.firstWithNormalizedPasscode ? false : try decoder.read()
    let isGuarded = version < Keybag.firstWithTPM ? false : try decoder.readBoolean()
    guarded = isGuarded ? try SealedObject(from: &decoder) : nil
  }
}

enum PasscodeCost: Sendable {
  /// Measured when the first passcode is set: about 80 ms on this machine, never below ``floor``.
  case calibrated
  /// For tests, which set many passcodes.
  case fixed(Scrypt)

  /// N = 2¹⁵, r = 8, p = 1: 32 MiB.
  static let floor: Scrypt = {
    guard let scrypt = Scrypt(cost: 1 << 15, blockSize: 8, parallelism: 1) else {
      preconditionFailure("these parameters are in range")
    }
    return scrypt
  }()

  /// The cost of a new application password: that of the cheapest passcode on any machine.
  var ofAppPasswords: Scrypt {
    switch self {
    case .calibrated: Self.floor
    case .fixed(let scrypt): scrypt
    }
  }

  /// Nanoseconds that a try should take.
  private static let target: UInt64 = 80_000_000
  /// N = 2¹⁷: 128 MiB, the most for a moment on a small machine.
  private static let greatestCost: UInt64 = 1 << 17

  /// - Throws: if there is too little memory for ``floor``.
  func parameters(clock: () -> UInt64) throws(Failure) -> Scrypt {
    switch self {
    case .fixed(let scrypt): return scrypt
    case .calibrated:
      var chosen = Self.floor
      guard var duration = Self.duration(of: chosen, clock) else {
        throw Failure(
          .engineFailed, "the enclave has too little memory to stretch a passcode",
          hint: "32 MiB are needed for a moment; end other programs or raise the memory limit")
      }
      // A cost twice as high takes twice as long. Takes the one nearer to the target by ratio.
      while duration * 10 < Self.target * 7, chosen.cost < Self.greatestCost,
        let next = Scrypt(
          cost: chosen.cost * 2, blockSize: chosen.blockSize, parallelism: chosen.parallelism),
        let measured = Self.duration(of: next, clock)
      {
        chosen = next
        duration = measured
      }
      return chosen
    }
  }

  private static func duration(of scrypt: Scrypt, _ clock: () -> UInt64) -> UInt64? {
    let start = clock()
    let sample = SecretBytes(count: 8)
    guard
      let derived = try? scrypt.deriveKey(from: sample.bytes, salt: [0], count: SymmetricKey.size),
      derived.count == SymmetricKey.size
    else { return nil }
    let end = clock()
    return end > start ? end - start : 0
  }
}
