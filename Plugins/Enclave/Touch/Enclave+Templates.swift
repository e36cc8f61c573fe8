import AuthcoreABI
import Cryptography
import FingerprintMatching
import Wire

extension Enclave {
  private static var templateFile: SealedStateFile {
    SealedStateFile(magic: "authcore finger", versions: 1...2)
  }

  /// What is sealed always has this size.
  private static var paddedTemplate: Int { 4 + FingerTemplate.mostBytes }
  private static var templateLimit: Int { paddedTemplate + 256 }

  /// Seals a template into the file of its finger's slot.
  func storeTemplate(_ template: FingerTemplate, of finger: FingerRecord) throws(Failure) {
    // What was learned of another finger in this slot ends before a new one is there.
    try platform.remove(FingerRecord.adaptedFileName(slot: finger.slot))
    var encoder = WireEncoder(capacity: Self.paddedTemplate)
    encoder.writeBytes(template.encoded())
    let padded = try Self.padded(encoder.finish(), to: Self.paddedTemplate)
    let file = try sealTemplate(padded, of: finger, into: Self.templateFile)
    try platform.save(FingerRecord.fileName(slot: finger.slot), file)
    templates[finger.identifier] = AdaptingTemplate(of: template)
  }

  /// The contents with zeros behind them, so that a file tells nothing of its finger.
  static func padded(
    _ contents: borrowing SecretBytes, to count: Int
  ) throws(Failure) -> SecretBytes {
    var padded = SecretBytes(count: count)
    guard contents.count <= count else {
      throw Failure(.engineFailed, "a template is longer than its file")
    }
    unsafe padded.withUnsafeMutableBytes { target in
      unsafe contents.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
    }
    return padded
  }

  /// Opens the templates of one kind that have not been opened since the start. Needs the first unlock.
  /// - Throws: `stateDamaged` when fingers of this kind are enrolled and not one template of them can be used.
  func loadTemplates(isSynthetic: Bool) throws(Failure) {
    let fingers = keybag.fingers.filter { $0.isSynthetic == isSynthetic }
    _ = try templateClassKey(of: .unmarked)
    var problem: Failure?
    for finger in fingers where templates[finger.identifier] == nil {
      do throws(Failure) {
        templates[finger.identifier] = adapting(try template(of: finger), of: finger)
      } catch {
        problem = error
        platform.log(ac_log_level_t(AC_LOG_WARNING), error.message)
      }
    }
    let isUsable = fingers.contains { templates[$0.identifier] != nil }
    if let problem, !isUsable { throw problem }
  }

  private func template(of finger: FingerRecord) throws(Failure) -> FingerTemplate {
    let name = FingerRecord.fileName(slot: finger.slot)
    guard let file = try platform.load(name, limit: Self.templateLimit) else {
      throw Self.templateDamage(.missing, finger)
    }
    do {
      return try Self.template(decoding: openTemplate(file, of: finger, from: Self.templateFile))
    } catch let damage as StateDamage {
      throw Self.templateDamage(damage, finger)
    } catch {
      throw error as? Failure ?? Self.templateDamage(.changed, finger)
    }
  }

  private static func template(
    decoding contents: borrowing SecretBytes
  ) throws(StateDamage) -> FingerTemplate {
    do {
      var decoder = WireDecoder(contents.bytes)
      return try FingerTemplate(
        decoding: decoder.readBytes(limit: FingerTemplate.mostBytes))
    } catch TemplateDecodingError.unsupportedVersion(let version) {
      throw .otherVersion(UInt32(clamping: version))
    } catch {
      throw .changed
    }
  }

  private static func templateDamage(_ damage: StateDamage, _ finger: FingerRecord) -> Failure {
    let failure = damage.failure(file: FingerRecord.fileName(slot: finger.slot))
    return Failure(
      failure.code, "the finger \(finger.name) cannot be matched: \(failure.message)",
      hint: """
        restore the file from a backup of the state folder, or remove the finger and enrol it again: \
        authcore finger remove
        """)
  }

  /// Removes the files of slots in which no finger is, such as a crash in the middle of an enrolment leaves.
  func removeTemplatesWithoutFinger() {
    for slot in 1...UInt8(Keybag.mostFingers)
    where !keybag.fingers.contains(where: { $0.slot == slot }) {
      do throws(Failure) {
        try platform.remove(FingerRecord.adaptedFileName(slot: slot))
        try platform.remove(FingerRecord.fileName(slot: slot))
      } catch {
        platform.log(ac_log_level_t(AC_LOG_WARNING), error.message)
      }
    }
  }
}
