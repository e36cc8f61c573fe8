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

/// Why a keybag takes the place of another.
enum KeybagChange {
  /// The owner changed the passcode or the fingers, and so stands behind what is there.
  case owner
  /// A keybag of an earlier version got the present form.
  case newForm
  /// The owner changed a setting.
  case setting
}

/// What the record of attempts knows of the keybag: which one is the newest. It notices when only
/// one of the two files is put back.
///
/// The number of a keybag is announced before it is written, so that a crash in between is not
/// taken for an old file.
struct KeybagWitness: Equatable, Sendable {
  /// The serial number of the newest keybag that is known to have been in use.
  private var newest: UInt32
  /// The one that was last about to be written.
  private var announced: UInt32
  /// Whether an old file has been noticed since the passcode or the fingers last changed.
  private(set) var hasSeenRollback = false

  /// What a keybag and this record say of each other.
  enum Verdict: Equatable {
    case agree
    case keybagIsOld
    case attemptsAreOld
  }

  /// A record that knows this keybag and no other.
  init(of keybag: Keybag) { (newest, announced) = (keybag.serial, keybag.serial) }

  /// What `keybag` is beside this record.
  func verdict(on keybag: Keybag) -> Verdict {
    let isAnnounced = announced > newest && keybag.serial == announced
    if keybag.serial == newest || isAnnounced { return .agree }
    return keybag.serial < newest ? .keybagIsOld : .attemptsAreOld
  }

  /// The number the next keybag gets: none that was ever used, also where an old keybag has been
  /// put back.
  func next(after keybag: Keybag) -> UInt32 { max(keybag.serial, newest) + 1 }

  /// Whether a generation shows that there was a later keybag than any that is known.
  func isNews(_ generation: UInt32, to keybag: Keybag) -> Bool {
    generation > max(keybag.serial, newest)
  }

  /// A keybag of this number is about to be written.
  mutating func announce(_ serial: UInt32) { announced = serial }

  /// It has been written.
  mutating func confirm(_ serial: UInt32, for reason: KeybagChange) {
    (newest, announced) = (serial, serial)
    if reason == .owner { hasSeenRollback = false }
  }

  /// An old file has been noticed. `generation` is one that a newer keybag held, where that is how.
  mutating func noteRollback(generation: UInt32 = 0) {
    newest = max(newest, generation)
    hasSeenRollback = true
  }

  func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt32(newest)
    encoder.writeUInt32(announced)
    encoder.writeBoolean(hasSeenRollback)
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    newest = try decoder.readUInt32()
    announced = try decoder.readUInt32()
    hasSeenRollback = try decoder.readBoolean()
  }

  /// The witness of a record of an earlier version, which names no keybag.
  static var none: KeybagWitness { KeybagWitness() }
  private init() { (newest, announced) = (0, 0) }
}

/// The frames that were looked at last, by codes under a key of the enclave. No sensor delivers two
/// equal frames, since each has noise of its own: an equal one is a copy, and no touch.
struct SeenFrames: Equatable, Sendable {
  /// How many are remembered: as many as keep the file of attempts within one block of a disk, so
  /// that it can be written when that is full.
  static let most = 256

  /// Oldest first.
  private var codes: [UInt64] = []

  /// None was seen.
  init() {}

  /// Whether a frame of this code was seen.
  func contains(_ code: UInt64) -> Bool { codes.contains(code) }

  /// Remembers a frame, in place of the oldest where there is no room.
  mutating func insert(_ code: UInt64) {
    codes.append(code)
    if codes.count > Self.most { codes.removeFirst() }
  }

  /// Always of one size, with zeros for frames that are still to come.
  func encode(into encoder: inout WireEncoder) {
    for code in codes { encoder.writeUInt64(code) }
    for _ in codes.count..<Self.most { encoder.writeUInt64(0) }
  }

  /// Reads what ``encode(into:)`` wrote.
  init(from decoder: inout WireDecoder) throws(DecodeError) {
    for _ in 0..<Self.most {
      let code = try decoder.readUInt64()
      if code != 0 { codes.append(code) }
    }
  }
}
