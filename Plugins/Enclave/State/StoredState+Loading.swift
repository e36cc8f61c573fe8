import AuthcoreABI
import Cryptography
import Protocol
import TrustedPlatform

extension RootKey {
  static var fileName: String { RootKeyFile.name }
  /// No root key file is longer, in bytes.
  static var limit: Int { RootKeyFile.limit }
}

extension StoredState {
  /// Loads the state in the platform's folder, or makes one if the folder is empty.
  /// - Throws: `stateDamaged`, naming the unusable file; nothing is changed then.
  static func load(
    from platform: any EnclavePlatform
  ) throws(Failure) -> StoredState {
    try Erasure.completeInterrupted(on: platform)
    let rootFile = try platform.load(RootKey.fileName, limit: RootKey.limit)
    let keybagFile = try platform.load(Keybag.fileName, limit: Keybag.limit)
    let tpm = PlatformTPM(platform)
    guard let rootFile else {
      guard keybagFile == nil else {
        throw StateDamage.missing.failure(file: RootKey.fileName)
      }
      return try make(on: platform, tpm, root: nil)
    }
    let root = try RootKey.load(rootFile, tpm, on: platform)
    guard let keybagFile else {
      // A crash between the first two saves leaves only a root key.
      guard try platform.load(AttemptsRecord.fileName, limit: AttemptsRecord.limit) == nil else {
        throw StateDamage.missing.failure(file: Keybag.fileName)
      }
      return try make(on: platform, tpm, root: root)
    }
    return try load(on: platform, tpm, root: root, keybagFile: keybagFile)
  }

  private static func make(
    on platform: any EnclavePlatform, _ tpm: PlatformTPM, root: consuming RootKey?
  ) throws(Failure) -> StoredState {
    let wantsTPM = root == nil && isUsable(tpm, platform)
    var keys = try ClassKeys.make(platform.randomKey)
    _ = try keys.renew(1, platform.randomKey)
    let root = if let root { root } else { RootKey(try platform.randomKey()) }
    let wrapped = try cryptographic(
      try WrappedClassKeys(keys, under: root.derivedKey(for: .deviceClasses)))
    let keybag = Keybag(wrapped: wrapped)
    return StoredState(
      platform: platform, tpm: tpm, root: root, wantsTPM: wantsTPM, keybag: keybag,
      isStored: false,
      record: AttemptsRecord(Attempts(), KeybagWitness(of: keybag)), isRolledBack: false)
  }

  private static func isUsable(_ tpm: PlatformTPM, _ platform: any EnclavePlatform) -> Bool {
    do throws(TPMError) {
      return try tpm.talk(to: nil) { _ in true }
    } catch {
      if error != .absent {
        platform.log(
          ac_log_level_t(AC_LOG_INFO),
          "the root key is going to be kept in a file: \(Failure(error).message)")
      }
      return false
    }
  }

  private static func load(
    on platform: any EnclavePlatform, _ tpm: PlatformTPM, root: consuming RootKey,
    keybagFile: borrowing SecretBytes
  ) throws(Failure) -> StoredState {
    let keybagKey = try cryptographic(try root.derivedKey(for: .keybag))
    let keybag = try named(Keybag.fileName) { () throws(StateDamage) in
      try Keybag(opening: keybagFile, with: keybagKey)
    }
    guard keybag.passcode?.guarded == nil || root.place == .tpm else {
      throw StateDamage.old.failure(file: RootKey.fileName)
    }
    var (record, isRolledBack) = try loadAttempts(on: platform, root: root, keybag)
    if let guardian = root.guardian {
      try judge(&record, by: guardian, keybag, platform)
    }
    return StoredState(
      platform: platform, tpm: tpm, root: root, keybag: keybag, isStored: true, record: record,
      isRolledBack: isRolledBack)
  }

  /// Asks the TPM if the whole state is an older one. Without a passcode there may be no record
  /// yet, and an older state gives nothing away.
  private static func judge(
    _ record: inout AttemptsRecord, by guardian: TPMGuardian, _ keybag: Keybag,
    _ platform: any EnclavePlatform
  ) throws(Failure) {
    if keybag.passcode == nil, record.number == nil {
      record.number = try guardian.count()
      return
    }
    guard try guardian.judge(record.number) == .old else { return }
    record.number = try guardian.count()
    record.attempts = .restored(eraseAfter: keybag.passcode?.eraseAfter ?? 0)
    platform.log(
      ac_log_level_t(AC_LOG_WARNING),
      "the TPM has counted more states than this one: an older one has been put back")
  }

  /// The attempts, and whether keybag or attempts are an old copy. Assumes the worst if a passcode
  /// is set and the file is lost or old.
  private static func loadAttempts(
    on platform: any EnclavePlatform, root: borrowing RootKey, _ keybag: Keybag
  ) throws(Failure) -> (AttemptsRecord, isRolledBack: Bool) {
    var record = AttemptsRecord(
      keybag.passcode.map { .lost(eraseAfter: $0.eraseAfter) } ?? Attempts(),
      KeybagWitness(of: keybag))
    guard let found = try readAttempts(on: platform, root: root) else {
      if keybag.passcode != nil {
        platform.log(
          ac_log_level_t(AC_LOG_WARNING),
          "the record of failed attempts is missing or damaged: the longest delay and lockout hold")
      }
      return (record, false)
    }
    let verdict = found.witness.verdict(on: keybag)
    switch verdict {
    case .agree: return (found, false)
    case .keybagIsOld: record = found
    case .attemptsAreOld: record.frames = found.frames
    }
    record.witness.noteRollback()
    platform.log(
      ac_log_level_t(AC_LOG_WARNING),
      "\(verdict == .keybagIsOld ? Keybag.fileName : AttemptsRecord.fileName) is an old copy")
    return (record, true)
  }

  /// The record in its file, or nil if it cannot be read.
  private static func readAttempts(
    on platform: any EnclavePlatform, root: borrowing RootKey
  ) throws(Failure) -> AttemptsRecord? {
    let key = try cryptographic(try root.derivedKey(for: .attempts))
    do {
      let file = try platform.load(AttemptsRecord.fileName, limit: AttemptsRecord.limit)
      guard let file else { return nil }
      return try AttemptsRecord(opening: file, with: key)
    } catch let failure as Failure where failure.code != .stateDamaged {
      throw failure
    } catch {
      return nil
    }
  }

  static func named<Value: ~Copyable>(
    _ file: String, _ body: () throws(StateDamage) -> Value
  ) throws(Failure) -> Value {
    do throws(StateDamage) {
      return try body()
    } catch {
      throw error.failure(file: file)
    }
  }
}
