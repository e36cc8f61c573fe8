import AuthcoreABI
import Cryptography
import FingerprintMatching
import Protocol

/// The templates of the enrolled fingers, in their files and opened.
final class FingerTemplates {
  private let state: StoredState
  private let keys: KeyRing
  /// By finger.
  private var opened: [UInt32: AdaptingTemplate] = [:]
  /// Fingers whose template has an earlier format.
  private var ofEarlierFormat: Set<UInt32> = []
  /// Wiped after each touch.
  private var matching = MatchingStorage()

  private static let file = SealedStateFile(magic: "authcore finger", versions: 1...2)

  /// All templates are sealed in this size.
  private static let paddedSize = 4 + FingerTemplate.mostBytes
  private static let fileLimit = paddedSize + 256

  init(_ state: StoredState, _ keys: KeyRing) {
    self.state = state
    self.keys = keys
  }

  func isOpen(_ finger: FingerRecord) -> Bool { opened[finger.identifier] != nil }

  /// Whether a finger is known to have a template of an earlier version.
  func isOfEarlierFormat(_ finger: FingerRecord) -> Bool {
    ofEarlierFormat.contains(finger.identifier)
  }

  func forget(_ finger: FingerRecord) {
    opened[finger.identifier] = nil
    ofEarlierFormat.remove(finger.identifier)
  }

  func forgetAll() { opened = [:] }

  /// What a touch says about each of these fingers.
  func evidence(
    of probe: PrintFeatures, about fingers: [FingerRecord]
  ) -> [UInt32: TouchEvidence] {
    defer { matching.wipe() }
    var evidence: [UInt32: TouchEvidence] = [:]
    for finger in fingers {
      guard let template = opened[finger.identifier] else { continue }
      evidence[finger.identifier] = PrintMatcher().evidence(
        probe: probe, against: template.current, using: &matching)
    }
    return evidence
  }

  /// Learns from a touch that matched with certainty. What cannot be stored is not learned.
  func learn(_ finger: FingerRecord, from probe: PrintFeatures) {
    defer { matching.wipe() }
    guard var adapting = opened[finger.identifier],
      adapting.learn(from: probe, using: &matching)
    else { return }
    do throws(Failure) {
      try storeLearned(adapting, of: finger)
      opened[finger.identifier] = adapting
    } catch {
      state.platform.log(
        ac_log_level_t(AC_LOG_WARNING),
        "nothing was learned from a touch of \(finger.name): \(error.message)")
    }
  }

  // MARK: Files

  func store(_ template: FingerTemplate, of finger: FingerRecord) throws(Failure) {
    // What was learned about another finger in this slot goes first.
    try state.platform.remove(FingerRecord.adaptedFileName(slot: finger.slot))
    var encoder = WireEncoder(capacity: Self.paddedSize)
    encoder.writeBytes(template.encoded())
    let padded = try Self.padded(encoder.finish(), to: Self.paddedSize)
    let file = try keys.sealTemplate(padded, of: finger, into: Self.file)
    try state.platform.save(FingerRecord.fileName(slot: finger.slot), file)
    opened[finger.identifier] = AdaptingTemplate(of: template)
  }

  /// Pads the contents with zeros, so that a file's length tells nothing.
  static func padded(
    _ contents: borrowing SecretBytes, to count: Int
  ) throws(Failure) -> SecretBytes {
    var padded = SecretBytes(count: count)
    guard contents.count <= count else {
      throw Failure(.engineFailed, "a template is longer than its file")
    }
    padded.copy(contents.bytes)
    return padded
  }

  /// Opens the templates of one origin. Needs the first unlock.
  /// - Throws: `stateDamaged` if no template of an enrolled finger of this origin can be used.
  func open(_ origin: FrameOrigin) throws(Failure) {
    let fingers = state.keybag.fingers.filter { $0.matches(origin) }
    _ = try keys.templateClassKey(of: .unmarked)
    var problem: Failure?
    for finger in fingers where opened[finger.identifier] == nil {
      do throws(Failure) {
        let template = withLearned(try template(of: finger), of: finger)
        if template.original.isOfEarlierFormat { ofEarlierFormat.insert(finger.identifier) }
        opened[finger.identifier] = template
      } catch {
        problem = error
        state.platform.log(ac_log_level_t(AC_LOG_WARNING), error.message)
      }
    }
    let isUsable = fingers.contains { opened[$0.identifier] != nil }
    if let problem, !isUsable { throw problem }
  }

  private func template(of finger: FingerRecord) throws(Failure) -> FingerTemplate {
    let name = FingerRecord.fileName(slot: finger.slot)
    guard let file = try state.platform.load(name, limit: Self.fileLimit) else {
      throw Self.templateDamage(.missing, finger)
    }
    do {
      return try Self.template(decoding: keys.openTemplate(file, of: finger, from: Self.file))
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
        restore the file from a backup of the state folder, or remove the finger and enroll it again: \
        authcore finger remove
        """)
  }

  /// Removes the files of empty slots, as a crash during an enrollment leaves. Keeps them beside an
  /// old keybag: they may belong to a newer one.
  func removeFilesWithoutFinger() {
    guard !state.isRollbackDetected else { return }
    for slot in 1...UInt8(Keybag.mostFingers)
    where !state.keybag.fingers.contains(where: { $0.slot == slot }) {
      do throws(Failure) {
        try state.platform.remove(FingerRecord.adaptedFileName(slot: slot))
        try state.platform.remove(FingerRecord.fileName(slot: slot))
      } catch {
        state.platform.log(ac_log_level_t(AC_LOG_WARNING), error.message)
      }
    }
  }
}

/// What good matches teach about a finger. Its enrolled template stays as it is.
extension FingerTemplates {
  private static let learnedFile = SealedStateFile(
    magic: "authcore adapted finger", versions: 1...2)

  /// The number of touches learned from (a byte), and a template.
  private static let paddedLearned = 1 + 4 + FingerTemplate.mostBytes
  private static let learnedLimit = paddedLearned + 256

  private func storeLearned(
    _ adapting: AdaptingTemplate, of finger: FingerRecord
  ) throws(Failure) {
    var encoder = WireEncoder(capacity: Self.paddedLearned)
    encoder.writeByte(UInt8(adapting.touches))
    encoder.writeBytes(adapting.current.encoded())
    let padded = try Self.padded(encoder.finish(), to: Self.paddedLearned)
    let file = try keys.sealTemplate(padded, of: finger, into: Self.learnedFile)
    try state.platform.save(FingerRecord.adaptedFileName(slot: finger.slot), file)
  }

  /// A finger's template with what was learned; as it was enrolled if that is lost or damaged.
  private func withLearned(
    _ template: FingerTemplate, of finger: FingerRecord
  ) -> AdaptingTemplate {
    let name = FingerRecord.adaptedFileName(slot: finger.slot)
    do {
      guard let file = try state.platform.load(name, limit: Self.learnedLimit) else {
        return AdaptingTemplate(of: template)
      }
      let contents = try keys.openTemplate(file, of: finger, from: Self.learnedFile)
      var decoder = WireDecoder(contents.bytes)
      let touches = Int(try decoder.readByte())
      let current = try FingerTemplate(
        decoding: decoder.readBytes(limit: FingerTemplate.mostBytes))
      return AdaptingTemplate(of: template, current: current, touches: touches)
    } catch {
      state.platform.log(
        ac_log_level_t(AC_LOG_WARNING),
        "\(name) cannot be used: \(finger.name) is compared as it was enrolled")
      return AdaptingTemplate(of: template)
    }
  }
}
