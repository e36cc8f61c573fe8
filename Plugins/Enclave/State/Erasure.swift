import AuthcoreABI
import Protocol

/// Destroys everything the enclave keeps after too many wrong passcodes, like Apple's "Erase Data".
///
/// A file marks an erasure under way, so that the next enclave completes it. The root key goes
/// first: without it nothing else can be opened.
enum Erasure {
  static let fileName = "erasing"
  private static let contents = "authcore erasing 1"
  private static let limit = 64

  /// Begins an erasure, which nothing takes back.
  static func begin(on platform: any EnclavePlatform) throws(Failure) {
    let bytes = Array(contents.utf8)
    try platform.save(fileName, SecretBytes(copying: bytes.span))
  }

  /// Completes an erasure, if one was begun.
  static func completeInterrupted(on platform: any EnclavePlatform) throws(Failure) {
    guard let file = try platform.load(fileName, limit: limit) else { return }
    guard file.copied == Array(contents.utf8) else {
      throw StateDamage.notOurs.failure(file: fileName)
    }
    if let root = try platform.load(RootKey.fileName, limit: RootKey.limit) {
      releaseCounter(of: root, on: platform)
    }
    for name in [RootKey.fileName, Keybag.fileName, AttemptsRecord.fileName] {
      try platform.remove(name)
    }
    for slot in 1...UInt8(Keybag.mostFingers) {
      try platform.remove(FingerRecord.adaptedFileName(slot: slot))
      try platform.remove(FingerRecord.fileName(slot: slot))
    }
    try platform.remove(fileName)
    platform.log(
      ac_log_level_t(AC_LOG_WARNING),
      "too many wrong passcodes: keys, fingers and passcode have been destroyed")
  }

  /// Removes the counter of a root key from the TPM. A root key that does not open may not own one.
  private static func releaseCounter(
    of file: borrowing SecretBytes, on platform: any EnclavePlatform
  ) {
    do throws(Failure) {
      let tpm = PlatformTPM(platform)
      defer { tpm.hangUp() }
      try RootKey.load(file, tpm, on: platform).guardian?.release()
    } catch {
      platform.log(ac_log_level_t(AC_LOG_WARNING), "the TPM keeps a counter: \(error.message)")
    }
  }

  /// The answer to the try that caused it.
  static func failure(after wrong: UInt32) -> Failure {
    Failure(
      .deviceErased,
      "\(wrong) wrong passcodes in a row: the keys of everything stored here have been destroyed",
      hint: """
        begin anew with authcore passcode set; what a backup holds can be restored: \
        authcore backup restore
        """)
  }
}

/// Keeps the files of a state that is bound to a missing TPM under other names, for a person to
/// look at, when the owner begins anew.
enum StateSetAside {
  /// States set aside in one folder.
  private static let most = 16
  private static let limit = 128 << 10

  private static var names: [String] {
    let slots = 1...UInt8(Keybag.mostFingers)
    return slots.flatMap {
      [FingerRecord.adaptedFileName(slot: $0), FingerRecord.fileName(slot: $0)]
    }
      + [AttemptsRecord.fileName, Keybag.fileName, RootKey.fileName]
  }

  static func name(_ name: String, in number: Int) -> String { "aside-\(number).\(name)" }

  /// Copies all files and then removes them. The root key goes last, so that an interruption leaves
  /// a folder that is still bound to the other TPM.
  static func move(on platform: any EnclavePlatform) throws(Failure) {
    let number = try place(on: platform)
    for name in names {
      guard let file = try platform.load(name, limit: limit) else { continue }
      try platform.save(Self.name(name, in: number), file)
    }
    for name in names { try platform.remove(name) }
    platform.log(
      ac_log_level_t(AC_LOG_WARNING),
      "the files that are bound to another TPM are kept as aside-\(number).…")
  }

  private static func place(on platform: any EnclavePlatform) throws(Failure) -> Int {
    let present =
      try platform.load(RootKey.fileName, limit: limit) ?? SecretBytes(count: 0)
    for number in 1...most {
      let file = try platform.load(name(RootKey.fileName, in: number), limit: limit)
      guard let file else { return number }
      if file.isEqual(to: present.bytes) { return number }
    }
    throw Failure(
      .storageFailed, "\(most) states have been set aside in the enclave's folder",
      hint: "move the files aside-… elsewhere")
  }
}
