import AuthcoreABI
import Cryptography
import Protocol

extension KeyRing {
  /// Makes sure that what is about to be sealed is found again, and under a generation.
  func prepareSealing() throws(Failure) {
    try state.storeNewEnclave()
    guard !state.isPasscodeSet, state.keybag.wrapped.generationsKey == nil else { return }
    unlock(try introduceGenerations(to: held, under: state.derivedKey(for: .deviceClasses)))
  }

  /// Brings a keybag of an earlier version into the present form.
  /// - Returns: the keys with their first generation.
  func introduceGenerations(
    to keys: ClassKeys, under wrapping: borrowing SymmetricKey
  ) throws(Failure) -> ClassKeys {
    let keys = try renewed(keys)
    var next = state.keybag
    next.wrapped = try cryptographic { () throws(CryptographyError) in
      try WrappedClassKeys(keys, under: wrapping)
    }
    try state.replaceKeybag(next, for: .newForm)
    return keys
  }

  /// The keys with another generation, and another key of the list of them.
  func renewed(_ keys: ClassKeys) throws(Failure) -> ClassKeys {
    var keys = keys
    if try !keys.renew(state.nextSerial, state.platform.randomKey) { warnOfManyGenerations() }
    return keys
  }

  /// Begins a generation in `keybag` without the passcode at hand, by the key that giving it
  /// opened.
  func renew(_ keybag: inout Keybag, with key: HeldKey) throws(Failure) -> Generations {
    let number = state.nextSerial
    let secret = try state.platform.randomKey()
    let sealed = keybag.wrapped.generations
    var generations = try cryptographic { () throws(CryptographyError) in
      try Generations(opening: sealed, with: key.key)
    }
    if !generations.begin(number, secret) { warnOfManyGenerations() }
    keybag.wrapped.generations = try cryptographic { () throws(CryptographyError) in
      try generations.sealed(with: key.key)
    }
    return generations
  }

  private func warnOfManyGenerations() {
    state.platform.log(
      ac_log_level_t(AC_LOG_WARNING),
      """
      the keybag holds \(Generations.most) generations and no more: an old copy of it opens what is \
      added from here on
      """)
  }
}

/// Files of fingers, sealed under the class of after-first-unlock.
extension KeyRing {
  /// A template's file: its mark, and the contents sealed for this finger.
  func sealTemplate(
    _ contents: borrowing SecretBytes, of finger: FingerRecord, into file: SealedStateFile
  ) throws(Failure) -> SecretBytes {
    let classKey = try sealingKey(.afterFirstUnlockThisDeviceOnly)
    return try cryptographic { () throws(CryptographyError) in
      try file.seal(
        contents, with: classKey.held.key.derivedKey(for: .templates),
        identity: finger.templateIdentity, mark: classKey.mark)
    }
  }

  /// What is in a template's file.
  /// - Throws: ``StateDamage``, or a `Failure` where the class is closed or the keybag older than
  ///   the file.
  func openTemplate(
    _ bytes: borrowing SecretBytes, of finger: FingerRecord, from file: SealedStateFile
  ) throws -> SecretBytes {
    let unopened = try file.read(bytes)
    let origin =
      unopened.version == file.versions.lowerBound ? .unmarked : try origin(of: unopened.sealed)
    let classKey: HeldKey
    do throws(Failure) {
      classKey = try templateClassKey(of: origin)
    } catch {
      throw error.code == .stateDamaged ? StateDamage.newer : error
    }
    return try file.open(
      unopened, with: try classKey.key.derivedKey(for: .templates),
      identity: finger.templateIdentity,
      markSize: origin == .unmarked ? 0 : GenerationMarks.size)
  }

  /// The class key of templates.
  func templateClassKey(of origin: GenerationMarks.Origin) throws(Failure) -> HeldKey {
    do throws(Failure) {
      return try classKey(.afterFirstUnlockThisDeviceOnly, of: origin)
    } catch {
      guard error.code == .errSecInteractionNotAllowed else { throw error }
      throw Failure(
        .errSecInteractionNotAllowed, "fingers cannot be read before the first unlock",
        hint: "unlock the device with the passcode: authcore unlock")
    }
  }
}
