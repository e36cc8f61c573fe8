import AuthcoreABI
import Protocol

/// What becomes of a state that is bound to a TPM which is gone, when the owner begins anew: its files
/// are kept under other names, with which nothing but a person does anything.
enum StateSetAside {
  /// Most states that are set aside in one folder.
  private static let most = 16
  private static let limit = 128 << 10

  private static var names: [String] {
    let slots = 1...UInt8(Keybag.mostFingers)
    return slots.flatMap {
      [FingerRecord.adaptedFileName(slot: $0), FingerRecord.fileName(slot: $0)]
    }
      + [AttemptsRecord.fileName, Keybag.fileName, RootKey.fileName]
  }

  /// The name that a file is kept under.
  static func name(_ name: String, in number: Int) -> String { "aside-\(number).\(name)" }

  /// Copies all files and then removes them. The root key goes last, so that whatever interrupts this
  /// leaves a folder that is bound to the other TPM, of which this can be said again.
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

  /// The first number that holds no other state's files.
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
