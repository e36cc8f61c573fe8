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
