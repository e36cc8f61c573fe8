import Protocol

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
