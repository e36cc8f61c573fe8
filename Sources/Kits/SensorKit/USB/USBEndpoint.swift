internal import AuthcoreABI

/// An endpoint of a USB device (USB 2.0, section 5.3.1).
public struct USBEndpoint: Hashable, Sendable, CustomStringConvertible {
  /// The transfer types on offer; isochronous ones are not.
  public enum Kind: Int32, Sendable {
    /// USB 2.0, section 5.8.
    case bulk = 2
    /// USB 2.0, section 5.7.
    case interrupt = 3
  }

  /// The endpoint's address; bit 7 set: from the device to the host.
  public let address: UInt8
  /// How it transfers.
  public let kind: Kind

  /// Names an endpoint of either kind.
  public init(address: UInt8, kind: Kind) {
    (self.address, self.kind) = (address, kind)
  }

  /// Names a bulk endpoint.
  public static func bulk(_ address: UInt8) -> USBEndpoint { .init(address: address, kind: .bulk) }
  /// Names an interrupt endpoint.
  public static func interrupt(_ address: UInt8) -> USBEndpoint {
    .init(address: address, kind: .interrupt)
  }

  /// "bulk endpoint 0x82"
  public var description: String { "\(kind) endpoint 0x\(String(address, radix: 16))" }
}
