/// A fault in one call, written `stall@7`.
///
/// The calls of usb/1 that reach a device are counted from 1, beginning with the opening: claiming
/// and releasing an interface, control, transfer, queueing a read, waiting for one, clearing a
/// halt, reset. A blocking read counts as queued and waited for.
public struct Fault: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    /// The device is unplugged. This call and all later ones fail.
    case gone
    /// The endpoint halts.
    case stall
    /// Half of the bytes move.
    case short
    /// The bytes are wrong.
    case garbage
    /// The device never answers again.
    case silent
    /// The device answers no read for 300 ms (a storm of NAKs).
    case nak
    /// The host interrupts.
    case interrupt
  }

  public let kind: Kind
  /// The first call that can be hit. A call that moves no bytes cannot be cut short, so the next
  /// one that does is.
  public let call: Int

  public init(_ text: Substring) throws(SensorFailure) {
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

/// The faults that are still to come, and how many calls there were.
public struct FaultPlan {
  private var faults: [Fault]
  private var calls = 0

  public init(_ faults: [Fault]) {
    self.faults = faults
  }

  /// Counts a call.
  public mutating func beginCall() {
    calls += 1
  }

  /// Whether a lasting fault has begun.
  public func holds(_ kind: Fault.Kind) -> Bool {
    faults.contains { $0.kind == kind && $0.call <= calls }
  }

  /// Whether a fault hits this call. If it does, it is used up.
  public mutating func takes(_ kind: Fault.Kind) -> Bool {
    guard let index = faults.firstIndex(where: { $0.kind == kind && $0.call <= calls }) else {
      return false
    }
    faults.remove(at: index)
    return true
  }

  /// The bytes as they arrive, with the faults of this call.
  public mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    var bytes = bytes
    if takes(.short) { bytes.removeLast((bytes.count + 1) / 2) }
    if takes(.garbage) {
      // Changes every byte.
      for index in bytes.indices { bytes[index] ^= UInt8(truncatingIfNeeded: index &* 37 | 0x81) }
    }
    return bytes
  }
}

/// The source's text, `touches=2,fault=gone@7`: faults, and settings for the model or the devices of
/// a recording.
public struct FaultSettings {
  public let faults: [Fault]
  /// What is left without the faults.
  public let model: String

  public init(_ text: String) throws(SensorFailure) {
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
