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

/// How expensive a new passcode is to try.
enum PasscodeCost: Sendable {
  /// Measured when the first passcode is set: about 80 ms on this machine and never below
  /// ``floor``.
  case calibrated
  /// Fixed; for tests, which set many passcodes.
  case fixed(Scrypt)

  /// N = 2¹⁵, r = 8, p = 1: 32 MiB.
  static let floor: Scrypt = {
    guard let scrypt = Scrypt(cost: 1 << 15, blockSize: 8, parallelism: 1) else {
      preconditionFailure("these parameters are in range")
    }
    return scrypt
  }()

  /// How expensive a new application password is to try: as the cheapest passcode, whatever the
  /// machine.
  var ofAppPasswords: Scrypt {
    switch self {
    case .calibrated: Self.floor
    case .fixed(let scrypt): scrypt
    }
  }

  /// What a try should take, in nanoseconds (APPLE.md 1.4).
  private static let target: UInt64 = 80_000_000
  /// N = 2¹⁷: 128 MiB, as much as an enclave may take for a moment on a small machine.
  private static let greatestCost: UInt64 = 1 << 17

  /// The parameters for a first passcode.
  /// - Throws: a failure when not even ``floor`` can be had, for want of memory.
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
      // A cost twice as high takes twice as long; the nearer to the target on a scale of ratios is
      // taken.
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
