/// The setup packet of a control transfer, without direction and length (USB 2.0, section 9.3).
public struct USBControlRequest: Hashable, Sendable, CustomStringConvertible {
  /// Who defined the request.
  public enum Kind: UInt8, Sendable {
    /// Chapter 9 of USB 2.0.
    case standard = 0
    case deviceClass = 1
    /// The maker of the device.
    case vendor = 2
  }

  /// What the request is for.
  public enum Recipient: UInt8, Sendable {
    case device = 0
    /// One interface; its number is the index.
    case interface = 1
    /// One endpoint; its address is the index.
    case endpoint = 2
  }

  /// Who defined the request.
  public let kind: Kind
  /// What the request is for.
  public let recipient: Recipient
  /// bRequest
  public let request: UInt8
  /// wValue
  public let value: UInt16
  /// wIndex
  public let index: UInt16

  /// Describes a request; most sensors use vendor requests to the device.
  public init(
    _ request: UInt8, value: UInt16 = 0, index: UInt16 = 0, kind: Kind = .vendor,
    recipient: Recipient = .device
  ) {
    self.kind = kind
    self.recipient = recipient
    self.request = request
    self.value = value
    self.index = index
  }

  /// bmRequestType for a transfer in this direction.
  func type(isRead: Bool) -> UInt8 {
    (isRead ? 0x80 : 0) | kind.rawValue << 5 | recipient.rawValue
  }

  /// "control request 0x4, value 0x7"
  public var description: String {
    "control request 0x\(String(request, radix: 16)), value 0x\(String(value, radix: 16))"
  }
}
