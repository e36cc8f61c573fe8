import AuthcoreABI
import Cryptography
import FingerprintMatching
import Protocol

/// What good matches teach about a finger, beside its template, which stays as it was enrolled.
extension FingerTemplates {
  private static let learnedFile = SealedStateFile(
    magic: "authcore adapted finger", versions: 1...2)

  /// A byte for the touches learned from, and a template.
  private static let paddedLearned = 1 + 4 + FingerTemplate.mostBytes
  private static let learnedLimit = paddedLearned + 256

  func storeLearned(
    _ adapting: AdaptingTemplate, of finger: FingerRecord
  ) throws(Failure) {
    var encoder = WireEncoder(capacity: Self.paddedLearned)
    encoder.writeByte(UInt8(adapting.touches))
    encoder.writeBytes(adapting.current.encoded())
    let padded = try Self.padded(encoder.finish(), to: Self.paddedLearned)
    let file = try keys.sealTemplate(padded, of: finger, into: Self.learnedFile)
    try state.platform.save(FingerRecord.adaptedFileName(slot: finger.slot), file)
  }

  /// A finger's template with what was learned about it; where that is lost or damaged, the finger
  /// as it was enrolled.
  func withLearned(
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
