import Cryptography
import Protocol

/// What the enclave keeps: wrapped class keys, how the passcode is checked, and the fingers. One
/// file, replaced in one step.
struct Keybag: Sendable {
  /// Grows with every change of the passcode or the fingers; 0 in a file of an earlier version.
  var serial: UInt32 = 0
  /// Nil while no passcode is set.
  var passcode: PasscodeRecord?
  var wrapped: WrappedClassKeys
  /// Oldest first.
  var fingers: [FingerRecord] = []
  /// A new random key with every change of ``fingers``; nil without fingers. Items bound to the
  /// current set need it, so nothing opens them after a change.
  var fingerSet: HeldKey?
  var lockRule = LockRule.standard
  /// Templates on chips that are no finger's: of an enrollment that did not end, or of a finger that
  /// was removed while its reader was away. They match nothing.
  var leftovers: [ChipBinding] = []
  /// Whether there is a keychain. Its file is not in this folder, so that it can be lost alone.
  var hasKeychain = false

  static let mostFingers = 5
  static let fileName = "keybag"
  /// Most bytes of a keybag.
  static let limit = 64 << 10
  static let firstWithGenerations: UInt32 = 2
  static let firstWithErasure: UInt32 = 3
  static let firstWithNormalizedPasscode: UInt32 = 3
  static let firstWithTPM: UInt32 = 4
  private static let firstWithSettings: UInt32 = 5
  static let firstWithChips: UInt32 = 6
  private static let firstWithKeychain: UInt32 = 7
  /// Beyond these the oldest is forgotten, and its template counts as another system's.
  static let mostLeftovers = 64

  private static let file = SealedStateFile(magic: "authcore keybag", versions: 1...7)

  func sealed(with key: borrowing SymmetricKey) throws(CryptographyError) -> SecretBytes {
    var encoder = WireEncoder(capacity: 2048 + wrapped.generations.count)
    encoder.writeUInt32(serial)
    encoder.writeOptional(passcode) { $1.encode(into: &$0) }
    wrapped.encode(into: &encoder)
    encoder.writeArray(fingers) { $1.encode(into: &$0) }
    encoder.writeOptional(fingerSet) { $0.writeSecret($1.key.bytes) }
    encoder.write(lockRule)
    encoder.writeArray(leftovers) { $1.encode(into: &$0) }
    encoder.writeBoolean(hasKeychain)
    return try Self.file.seal(encoder.finish(), with: key)
  }

  init(
    opening file: borrowing SecretBytes, with key: borrowing SymmetricKey
  ) throws(StateDamage) {
    let file = try Self.file.read(file)
    let contents = try Self.file.open(file, with: key)
    do {
      var decoder = WireDecoder(contents.bytes)
      if file.version >= Self.firstWithGenerations { serial = try decoder.readUInt32() }
      passcode = try decoder.readOptional { (decoder) throws(DecodeError) in
        try PasscodeRecord(from: &decoder, version: file.version)
      }
      wrapped = try WrappedClassKeys(from: &decoder, version: file.version)
      fingers = try decoder.readArray(limit: Self.mostFingers, elementSize: 18) {
        (decoder) throws(DecodeError) in try FingerRecord(from: &decoder, version: file.version)
      }
      if try decoder.readBoolean() {
        fingerSet = try HeldKey(try decoder.readSecret(limit: SymmetricKey.size))
      }
      if file.version >= Self.firstWithSettings { lockRule = try decoder.read() }
      if file.version >= Self.firstWithChips {
        leftovers = try decoder.readArray(limit: Self.mostLeftovers, elementSize: 9) {
          (decoder) throws(DecodeError) in try ChipBinding(from: &decoder)
        }
      }
      if file.version >= Self.firstWithKeychain { hasKeychain = try decoder.readBoolean() }
      try decoder.finish()
    } catch {
      throw .changed
    }
  }

  /// The first keybag of an enclave.
  init(wrapped: WrappedClassKeys) {
    self.wrapped = wrapped
    serial = 1
  }
}

extension Keybag {
  func finger(_ text: String) throws(Failure) -> FingerRecord {
    guard
      let finger = fingers.first(where: { $0.identifierText == text })
        ?? fingers.first(where: { $0.name == text })
    else {
      throw Failure(
        .fingerNotFound, "no finger \(text) is enrolled", hint: "list them: authcore finger list")
    }
    return finger
  }

  var freeSlot: UInt8? {
    (1...UInt8(Self.mostFingers)).first { slot in !fingers.contains { $0.slot == slot } }
  }

  var freeName: String {
    let names = (1...Self.mostFingers + 1).map { "finger-\($0)" }
    return names.first { name in !fingers.contains { $0.name == name } } ?? "finger"
  }

  func renaming(_ finger: FingerRecord, to name: String) throws(Failure) -> Keybag {
    try refuseName(name, except: finger)
    var next = self
    for index in fingers.indices where fingers[index].identifier == finger.identifier {
      next.fingers[index].name = name
    }
    return next
  }

  /// Refuses a finger too many, and an impossible name. An empty name is chosen later.
  func refuseFinger(named name: String) throws(Failure) {
    guard fingers.count < Self.mostFingers else { throw .tooManyFingers }
    if !name.isEmpty { try refuseName(name, except: nil) }
  }

  /// A name is a short line that is not taken and does not look like an identifier.
  private func refuseName(_ name: String, except finger: FingerRecord?) throws(Failure) {
    let isLine = !name.unicodeScalars.contains(where: \.isSteering)
    let isIdentifier = name.count == 8 && name.allSatisfy { $0.isHexDigit }
    guard 1...Finger.mostNameCharacters ~= name.count, name.utf8.count <= Finger.longestName,
      isLine, !isIdentifier
    else {
      throw Failure(
        .errSecParam, "this cannot be the name of a finger",
        hint: """
          use 1 to \(Finger.mostNameCharacters) characters on one line, not eight hexadecimal digits and nothing that changes \
          the direction of writing
          """)
    }
    let isTaken = fingers.contains { $0.name == name && $0.identifier != finger?.identifier }
    guard !isTaken else {
      throw Failure(
        .errSecDuplicateItem, "a finger named \(name) is enrolled already",
        hint: "choose another name")
    }
  }
}
