internal import SensorKit

/// Which faults are still to come, and how many calls there were.
struct FaultPlan {
  private var faults: [Fault]
  private var calls = 0

  init(_ faults: [Fault]) {
    self.faults = faults
  }

  mutating func beginCall() {
    calls += 1
  }

  /// Whether a lasting fault holds by this call.
  func holds(_ kind: Fault.Kind) -> Bool {
    faults.contains { $0.kind == kind && $0.call <= calls }
  }

  /// Whether a fault hits here; then it is used up.
  mutating func takes(_ kind: Fault.Kind) -> Bool {
    guard let index = faults.firstIndex(where: { $0.kind == kind && $0.call <= calls }) else {
      return false
    }
    faults.remove(at: index)
    return true
  }

  /// The bytes as they arrive when this call is hit.
  mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    var bytes = bytes
    if takes(.short) { bytes.removeLast((bytes.count + 1) / 2) }
    if takes(.garbage) {
      // Any fixed noise does; every byte is changed.
      for index in bytes.indices { bytes[index] ^= UInt8(truncatingIfNeeded: index &* 37 | 0x81) }
    }
    return bytes
  }
}

/// The source's text, `touches=2,fault=gone@7`: what is to go wrong, and settings for the model.
struct FaultSettings {
  /// What is to go wrong.
  let faults: [Fault]
  /// What the model is told.
  let model: String

  init(_ text: String) throws(SensorFailure) {
    var faults: [Fault] = []
    var settings: [Substring] = []
    for setting in text.split(separator: ",") {
      if setting.hasPrefix("fault=") {
        faults.append(try Fault(setting.dropFirst(6)))
      } else {
        settings.append(setting)
      }
    }
    self.faults = faults
    model = settings.joined(separator: ",")
  }
}
