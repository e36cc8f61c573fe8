import Cryptography
import Protocol

/// The file of attempts: what failed, and which keybag it was written beside.
struct AttemptsRecord: Equatable, Sendable {
  var attempts: Attempts
  var witness: KeybagWitness
  /// The frames that no driver may deliver again.
  var frames = SeenFrames()
  /// What the TPM's counter is at while this is the newest state; nil without a TPM.
  var number: UInt64?

  /// The file's name.
  static let fileName = "attempts"
  /// No such file is longer, in bytes.
  static let limit = 4096
  /// The version that brought the witness.
  private static let firstWithWitness: UInt32 = 2

  /// The version that brought the number, and what is known of a state that was put back.
  private static let firstWithNumber: UInt32 = 4
  /// The version that brought which of the wrong passcodes do not count for the destruction of
  /// everything.
  private static let firstWithHarmless: UInt32 = 5
  /// The version that brought when the delay began.
  private static let firstWithDelay: UInt32 = 3

  /// The version that brought the frames that were seen.
  private static let firstWithFrames: UInt32 = 6

  private static let file = SealedStateFile(magic: "authcore attempts", versions: 1...6)

  init(_ attempts: Attempts, _ witness: KeybagWitness, number: UInt64? = nil) {
    self.attempts = attempts
    self.witness = witness
    self.number = number
  }

  /// The file's bytes.
  func sealed(with key: borrowing SymmetricKey) throws(CryptographyError) -> SecretBytes {
    var encoder = WireEncoder()
    encoder.writeUInt32(attempts.misses)
    encoder.writeUInt32(attempts.wrongPasscodes)
    encoder.writeArray(attempts.tried) { $0.writeBytes($1) }
    witness.encode(into: &encoder)
    encoder.writeOptional(attempts.delayBegan) { $1.encode(into: &$0) }
    encoder.writeByte(attempts.restoration.rawValue)
    encoder.writeOptional(number) { $0.writeUInt64($1) }
    encoder.writeUInt32(attempts.harmlessPasscodes)
    frames.encode(into: &encoder)
    return try Self.file.seal(encoder.finish(), with: key)
  }

  /// Reads a file.
  init(
    opening file: borrowing SecretBytes, with key: borrowing SymmetricKey
  ) throws(StateDamage) {
    let file = try Self.file.read(file)
    let contents = try Self.file.open(file, with: key)
    do {
      var decoder = WireDecoder(contents.bytes)
      let (misses, wrongPasscodes): (UInt32, UInt32) = try decoder.read()
      let tried = try decoder.readArray(limit: Attempts.mostTried, elementSize: 4) {
        (decoder) throws(DecodeError) in try decoder.readBytes(limit: HMACSHA256.size)
      }
      witness =
        file.version < Self.firstWithWitness ? .none : try KeybagWitness(from: &decoder)
      let isWithDelay = file.version >= Self.firstWithDelay
      let hasDelay = isWithDelay ? try decoder.readBoolean() : false
      let delayBegan = hasDelay ? try BootMoment.decode(from: &decoder) : nil
      var restoration: Attempts.Restoration? = Attempts.Restoration.none
      if file.version >= Self.firstWithNumber {
        restoration = Attempts.Restoration(rawValue: try decoder.readByte())
        number = try decoder.readOptional { (decoder) throws(DecodeError) in
          try decoder.readUInt64()
        }
      }
      let harmlessPasscodes =
        file.version < Self.firstWithHarmless ? 0 : try decoder.readUInt32()
      if file.version >= Self.firstWithFrames { frames = try SeenFrames(from: &decoder) }
      guard let restoration else { throw DecodeError.invalidValue(field: "restoration") }
      attempts = Attempts(
        misses: misses, wrongPasscodes: wrongPasscodes, harmlessPasscodes: harmlessPasscodes,
        tried: tried, delayBegan: delayBegan, restoration: restoration)
      try decoder.finish()
    } catch {
      throw .changed
    }
  }
}
