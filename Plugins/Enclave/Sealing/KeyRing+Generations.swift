import AuthcoreABI
import Cryptography
import Protocol

extension KeyRing {
  /// Stores a new enclave before it seals anything, and makes sure that there is a generation.
  func prepareSealing() throws(Failure) {
    try state.storeNewEnclave()
    guard !state.isPasscodeSet, state.keybag.wrapped.generationsKey == nil else { return }
    unlock(try introduceGenerations(to: held, under: state.derivedKey(for: .deviceClasses)))
  }

  private func introduceGenerations(
    to keys: ClassKeys, under wrapping: borrowing SymmetricKey
  ) throws(Failure) -> ClassKeys {
    let keys = try renewed(keys)
    var next = state.keybag
    next.wrapped = try cryptographic(try WrappedClassKeys(keys, under: wrapping))
    try state.replaceKeybag(next, for: .newForm)
    return keys
  }

  /// Begins a generation, with a new key for the list of generations.
  func renewed(_ keys: ClassKeys) throws(Failure) -> ClassKeys {
    var keys = keys
    if try !keys.renew(state.nextSerial, state.platform.randomKey) { warnOfManyGenerations() }
    return keys
  }

  /// Begins a generation in `keybag` without the passcode, by the key that it opened before.
  func renew(_ keybag: inout Keybag, with key: HeldKey) throws(Failure) -> Generations {
    let number = state.nextSerial
    let secret = try state.platform.randomKey()
    let sealed = keybag.wrapped.generations
    var generations = try cryptographic(try Generations(opening: sealed, with: key.key))
    if !generations.begin(number, secret) { warnOfManyGenerations() }
    keybag.wrapped.generations = try cryptographic(try generations.sealed(with: key.key))
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

/// Files of fingers, sealed under the after-first-unlock class.
extension KeyRing {
  func sealTemplate(
    _ contents: borrowing SecretBytes, of finger: FingerRecord, into file: SealedStateFile
  ) throws(Failure) -> SecretBytes {
    let classKey = try sealingKey(.afterFirstUnlockThisDeviceOnly)
    return try cryptographic(
      try file.seal(
        contents, with: classKey.held.key.derivedKey(for: .templates),
        identity: finger.templateIdentity, mark: classKey.mark))
  }

  /// - Throws: ``StateDamage``, or a `Failure` if the class is closed.
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
