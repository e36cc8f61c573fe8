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

/// A transfer as a driver asks for it.
public enum USBTransfer: Equatable, Sendable {
  /// A control transfer; `data` is what is written, empty when the device is read.
  case control(USBSetup, data: [UInt8])
  /// A read of up to `length` bytes.
  case read(USBEndpoint, length: Int)
  case write(USBEndpoint, [UInt8])

  /// Whether bytes come from the device.
  public var isRead: Bool {
    switch self {
    case .control(let setup, _): setup.isRead
    case .read: true
    case .write: false
    }
  }

  /// How many bytes can move at most.
  public var length: Int {
    switch self {
    case .control(let setup, _): Int(setup.length)
    case .read(_, let length): length
    case .write(_, let bytes): bytes.count
    }
  }
}

/// What came of a transfer.
public struct USBTransferResult: Equatable, Sendable {
  /// How many bytes moved.
  public let count: Int
  /// The bytes that were read.
  public let bytes: [UInt8]

  /// A read that gave these bytes.
  public init(read bytes: [UInt8]) {
    count = bytes.count
    self.bytes = bytes
  }

  /// A write of which the device took so many bytes.
  public init(written count: Int) {
    self.count = count
    bytes = []
  }
}

/// The setup packet of a control transfer (USB 2.0, section 9.3).
public struct USBSetup: Hashable, Sendable {
  /// bmRequestType
  public let type: UInt8
  /// bRequest
  public let request: UInt8
  /// wValue
  public let value: UInt16
  /// wIndex
  public let index: UInt16
  /// wLength
  public let length: UInt16

  /// Whether the device is read: bit 7 of ``type``.
  public var isRead: Bool { type & 0x80 != 0 }

  /// Describes a setup packet.
  public init(type: UInt8, request: UInt8, value: UInt16, index: UInt16, length: UInt16) {
    self.type = type
    self.request = request
    self.value = value
    self.index = index
    self.length = length
  }
}

extension USBTransfer: CustomStringConvertible {
  /// In the words of docs/recordings.md: "control 40 01 0001 0000 0", "read bulk 82 64". At most
  /// eight bytes are shown.
  public var description: String {
    switch self {
    case .control(let setup, let data):
      "control \(Self.hexadecimal(setup.type, 2)) \(Self.hexadecimal(setup.request, 2)) "
        + "\(Self.hexadecimal(setup.value, 4)) \(Self.hexadecimal(setup.index, 4)) \(setup.length)"
        + (data.isEmpty ? "" : " : \(Self.hexadecimal(data))")
    case .read(let endpoint, let length):
      "read \(endpoint.kind) \(Self.hexadecimal(endpoint.address, 2)) \(length)"
    case .write(let endpoint, let bytes):
      "write \(endpoint.kind) \(Self.hexadecimal(endpoint.address, 2)) : \(Self.hexadecimal(bytes))"
    }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.prefix(8).map { hexadecimal($0, 2) }.joined(separator: " ")
      + (bytes.count > 8 ? " … (\(bytes.count) bytes)" : "")
  }

  private static func hexadecimal(_ value: some BinaryInteger, _ digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
