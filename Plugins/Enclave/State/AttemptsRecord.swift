import Cryptography
import Protocol

/// The file of attempts: failed tries, and the keybag that belongs to them.
struct AttemptsRecord: Equatable, Sendable {
  var attempts: Attempts
  var witness: KeybagWitness
  /// Frames that no driver may deliver again.
  var frames = SeenFrames()
  /// The TPM's counter while this is the newest state; nil without a TPM.
  var number: UInt64?

  static let fileName = "attempts"
  /// Most bytes of the file.
  static let limit = 4096
  private static let firstWithWitness: UInt32 = 2

  private static let firstWithNumber: UInt32 = 4
  private static let firstWithHarmless: UInt32 = 5
  private static let firstWithDelay: UInt32 = 3

  private static let firstWithFrames: UInt32 = 6

  private static let file = SealedStateFile(magic: "authcore attempts", versions: 1...6)

  init(_ attempts: Attempts, _ witness: KeybagWitness, number: UInt64? = nil) {
    self.attempts = attempts
    self.witness = witness
    self.number = number
  }

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

/// Why a keybag replaces another.
enum KeybagChange {
  /// The owner changed the passcode or the fingers, and so accepts the present state.
  case owner
  /// A keybag of an earlier version was brought into the present form.
  case newForm
  case setting
}

/// Which keybag is the newest, as the record of attempts knows it. Detects that only one of the two
/// files was put back.
///
/// A keybag's number is announced before it is written, so that a crash in between does not look
/// like an old file.
struct KeybagWitness: Equatable, Sendable {
  /// The newest keybag known to have been in use.
  private var newest: UInt32
  /// The one last announced.
  private var announced: UInt32
  /// Whether an old file was noticed since the passcode or the fingers last changed.
  private(set) var hasSeenRollback = false

  enum Verdict: Equatable {
    case agree
    case keybagIsOld
    case attemptsAreOld
  }

  init(of keybag: Keybag) { (newest, announced) = (keybag.serial, keybag.serial) }

  func verdict(on keybag: Keybag) -> Verdict {
    let isAnnounced = announced > newest && keybag.serial == announced
    if keybag.serial == newest || isAnnounced { return .agree }
    return keybag.serial < newest ? .keybagIsOld : .attemptsAreOld
  }

  /// The next keybag's number, which was never used, even if an old keybag has been put back.
  func next(after keybag: Keybag) -> UInt32 { max(keybag.serial, newest) + 1 }

  /// Whether a generation proves a later keybag than the known ones.
  func isNews(_ generation: UInt32, to keybag: Keybag) -> Bool {
    generation > max(keybag.serial, newest)
  }

  mutating func announce(_ serial: UInt32) { announced = serial }

  mutating func confirm(_ serial: UInt32, for reason: KeybagChange) {
    (newest, announced) = (serial, serial)
    if reason == .owner { hasSeenRollback = false }
  }

  /// An old file was noticed, perhaps by the `generation` of a newer keybag.
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

  /// Of a record of an earlier version, which names no keybag.
  static var none: KeybagWitness { KeybagWitness() }
  private init() { (newest, announced) = (0, 0) }
}

/// The last frames, by codes under a key of the enclave. Noise makes every frame of a sensor
/// different, so an equal one is a copy and no touch.
struct SeenFrames: Equatable, Sendable {
  /// As many as keep the file of attempts within one disk block, so that it can be written on a
  /// full disk.
  static let most = 256

  /// Oldest first.
  private var codes: [UInt64] = []

  init() {}

  func contains(_ code: UInt64) -> Bool { codes.contains(code) }

  /// Remembers a frame, in place of the oldest if there is no room.
  mutating func insert(_ code: UInt64) {
    codes.append(code)
    if codes.count > Self.most { codes.removeFirst() }
  }

  /// Always of one size, filled with zeros.
  func encode(into encoder: inout WireEncoder) {
    for code in codes { encoder.writeUInt64(code) }
    for _ in codes.count..<Self.most { encoder.writeUInt64(0) }
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    for _ in 0..<Self.most {
      let code = try decoder.readUInt64()
      if code != 0 { codes.append(code) }
    }
  }
}

extension StoredState {
  /// Recognizes a frame by its pixels alone.
  func code(ofFrame pixels: Span<UInt8>) throws(Failure) -> UInt64 {
    let key = try derivedKey(for: .frames)
    let code = try cryptographic(try HMACSHA256.code(for: pixels, with: key.bytes))
    return code.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
