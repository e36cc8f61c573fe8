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
