internal import AuthcoreABI

/// An endpoint of a USB device (USB 2.0, section 5.3.1).
public struct USBEndpoint: Hashable, Sendable, CustomStringConvertible {
  /// How it transfers; isochronous transfers are not offered.
  public enum Kind: Int32, Sendable {
    case bulk = 2
    case interrupt = 3
  }

  /// Bit 7 is set if it goes from the device to the host.
  public let address: UInt8
  public let kind: Kind

  public init(address: UInt8, kind: Kind) {
    (self.address, self.kind) = (address, kind)
  }

  public static func bulk(_ address: UInt8) -> USBEndpoint { .init(address: address, kind: .bulk) }

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
    case standard = 0
    case deviceClass = 1
    case vendor = 2
  }

  public enum Recipient: UInt8, Sendable {
    case device = 0
    /// One interface; its number is the index.
    case interface = 1
    /// One endpoint; its address is the index.
    case endpoint = 2
  }

  public let kind: Kind
  public let recipient: Recipient
  /// bRequest
  public let request: UInt8
  /// wValue
  public let value: UInt16
  /// wIndex
  public let index: UInt16

  /// Most sensors use vendor requests to the device.
  public init(
    _ request: UInt8, value: UInt16 = 0, index: UInt16 = 0, kind: Kind = .vendor,
    recipient: Recipient = .device
  ) {
    (self.kind, self.recipient, self.request) = (kind, recipient, request)
    (self.value, self.index) = (value, index)
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
  /// `data` is what is written; it is empty if the device is read.
  case control(USBSetup, data: [UInt8])
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

  /// The most bytes that can move.
  public var length: Int {
    switch self {
    case .control(let setup, _): Int(setup.length)
    case .read(_, let length): length
    case .write(_, let bytes): bytes.count
    }
  }
}

public struct USBTransferResult: Equatable, Sendable {
  /// How many bytes moved.
  public let count: Int
  /// The bytes that were read.
  public let bytes: [UInt8]

  public init(read bytes: [UInt8]) {
    count = bytes.count
    self.bytes = bytes
  }

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

  public init(type: UInt8, request: UInt8, value: UInt16, index: UInt16, length: UInt16) {
    (self.type, self.request, self.value) = (type, request, value)
    (self.index, self.length) = (index, length)
  }
}

extension USBTransfer: CustomStringConvertible {
  /// In the words of docs/recordings.md: "control 40 01 0001 0000 0", "read bulk 82 64". Shows at
  /// most eight bytes.
  public var description: String {
    switch self {
    case .control(let setup, let data):
      "control \(setup.type.hexadecimal) \(setup.request.hexadecimal) "
        + "\(setup.value.hexadecimal) \(setup.index.hexadecimal) \(setup.length)"
        + (data.isEmpty ? "" : " : \(Self.excerpt(data))")
    case .read(let endpoint, let length):
      "read \(endpoint.kind) \(endpoint.address.hexadecimal) \(length)"
    case .write(let endpoint, let bytes):
      "write \(endpoint.kind) \(endpoint.address.hexadecimal) : \(Self.excerpt(bytes))"
    }
  }

  private static func excerpt(_ bytes: [UInt8]) -> String {
    bytes.prefix(8).map(\.hexadecimal).joined(separator: " ")
      + (bytes.count > 8 ? " … (\(bytes.count) bytes)" : "")
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  /// All its digits in hexadecimal: "0a" for a byte, "05ba" for a vendor's number.
  public var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
  }
}
