import AuthcoreABI
import Cryptography
import FingerprintMatching
import Wire

/// What good matches teach about a finger, beside its template, which stays as it was enrolled.
extension Enclave {
  private static var adaptedFile: SealedStateFile {
    SealedStateFile(magic: "authcore adapted finger", versions: 1...2)
  }

  /// A byte for the touches learned from, and a template.
  private static var paddedAdapted: Int { 1 + 4 + FingerTemplate.mostBytes }
  private static var adaptedLimit: Int { paddedAdapted + 256 }

  /// Learns from a touch that matched a finger, where it is sure enough; what cannot be stored is not learned.
  func adapt(_ finger: FingerRecord, to probe: PrintFeatures) {
    defer { matching.wipe() }
    guard var adapting = templates[finger.identifier],
      adapting.learn(from: probe, using: &matching)
    else { return }
    do throws(Failure) {
      try storeAdapted(adapting, of: finger)
      templates[finger.identifier] = adapting
    } catch {
      platform.log(
        ac_log_level_t(AC_LOG_WARNING),
        "nothing was learned from a touch of \(finger.name): \(error.message)")
    }
  }

  private func storeAdapted(
    _ adapting: AdaptingTemplate, of finger: FingerRecord
  ) throws(Failure) {
    var encoder = WireEncoder(capacity: Self.paddedAdapted)
    encoder.writeByte(UInt8(adapting.touches))
    encoder.writeBytes(adapting.current.encoded())
    let padded = try Self.padded(encoder.finish(), to: Self.paddedAdapted)
    let file = try sealTemplate(padded, of: finger, into: Self.adaptedFile)
    try platform.save(FingerRecord.adaptedFileName(slot: finger.slot), file)
  }

  /// A finger's template with what was learned about it; where that is lost or damaged, the finger as it was enrolled.
  func adapting(
    _ template: FingerTemplate, of finger: FingerRecord
  ) -> AdaptingTemplate {
    let name = FingerRecord.adaptedFileName(slot: finger.slot)
    do {
      guard let file = try platform.load(name, limit: Self.adaptedLimit) else {
        return AdaptingTemplate(of: template)
      }
      let contents = try openTemplate(file, of: finger, from: Self.adaptedFile)
      var decoder = WireDecoder(contents.bytes)
      let touches = Int(try decoder.readByte())
      let current = try FingerTemplate(
        decoding: decoder.readBytes(limit: FingerTemplate.mostBytes))
      return AdaptingTemplate(of: template, current: current, touches: touches)
    } catch {
      platform.log(
        ac_log_level_t(AC_LOG_WARNING),
        "\(name) cannot be used: \(finger.name) is compared as it was enrolled")
      return AdaptingTemplate(of: template)
    }
  }
}
