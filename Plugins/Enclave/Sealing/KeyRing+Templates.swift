import Cryptography
import Protocol

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
