internal import SensorKit

/// Something that goes wrong with one call, written `stall@7`.
///
/// The calls are those of usb/1 that reach a device, counted from 1 from the opening: claiming and
/// releasing an interface, control, transfer, queueing a read, waiting for one, clearing a halt,
/// reset. A blocking read counts as queued and awaited.
struct Fault: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    /// The device is unplugged: this call and all later ones fail.
    case gone
    /// The endpoint halts.
    case stall
    /// Half of the bytes move.
    case short
    /// The bytes are others.
    case garbage
    /// The device no longer answers, and never again.
    case silent
    /// The device answers no read for 300 ms (a storm of NAKs).
    case nak
    /// The host interrupts.
    case interrupt
  }

  let kind: Kind
  /// The first call that can be hit; one that moves no bytes cannot be cut short, so the next that
  /// does is.
  let call: Int

  init(_ text: Substring) throws(SensorFailure) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard
      parts.count == 2, let kind = Kind(rawValue: String(parts[0])), let call = Int(parts[1]),
      1...1_000_000 ~= call
    else {
      throw SensorFailure(
        .option,
        "\"\(text)\" is no fault; those are "
          + Kind.allCases.map { "\($0.rawValue)@CALL" }.joined(separator: ", "))
    }
    (self.kind, self.call) = (kind, call)
  }
}

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
