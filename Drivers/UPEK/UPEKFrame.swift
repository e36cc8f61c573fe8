package import SensorKit

/// A frame between host and device.
///
/// | offset | bytes | meaning |
/// | --- | --- | --- |
/// | 0 | 4 | `Ciao` |
/// | 4 | 1 | kind |
/// | 5 | 1 | high nibble: sequence number; low nibble: bits 8…11 of the length |
/// | 6 | 1 | bits 0…7 of the length n |
/// | 7 | n | payload |
/// | 7 + n | 2 | checksum of the bytes from 4 on, little-endian |
package struct UPEKFrame: Equatable, Sendable {
  package enum Kind: UInt8, Sendable {
    /// A message, or a part of one.
    case data = 0x00
    /// The host opens and closes a session; the device confirms.
    case open = 0x04, opened = 0x05, close = 0x07, closed = 0x01
    /// The device is there.
    case greeting = 0x03
    /// The device is busy and asks whether the host still listens.
    case busy = 0x08
    /// The host's answer to `busy`.
    case listening = 0x09
  }

  /// The longest payload of a device.
  package static let maximumPayload = 2043
  /// Bytes of a frame around its payload.
  package static let overhead = 9

  private static let magic = Array("Ciao".utf8)
  private static let payloadStart = 7

  package let kind: Kind
  /// 0…15.
  package let sequence: UInt8
  package let payload: [UInt8]

  /// A payload has at most ``maximumPayload`` bytes.
  package init(_ kind: Kind, sequence: UInt8, payload: [UInt8] = []) {
    (self.kind, self.sequence, self.payload) = (kind, sequence, payload)
  }

  /// The length of the frame that begins with these bytes. A frame that does not fit a packet is
  /// read in two pieces, and the first piece has to tell the length.
  package static func length(of start: [UInt8]) throws(SensorFailure) -> Int {
    guard start.count >= payloadStart, start.starts(with: magic) else {
      throw mismatch("something that is no frame")
    }
    let payload = Int(start[5] & 0x0F) << 8 | Int(start[6])
    guard payload <= maximumPayload else {
      throw mismatch("a frame that claims \(payload) bytes; \(maximumPayload) are possible")
    }
    return payload + overhead
  }

  /// Reads a frame. Ignores padding behind it.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation``, saying what is wrong.
  package init(decoding bytes: [UInt8]) throws(SensorFailure) {
    let length = try Self.length(of: bytes)
    guard bytes.count >= length else {
      throw Self.mismatch("\(bytes.count) bytes of a frame of \(length)")
    }
    let end = length - 2
    guard checksum(bytes[4..<end]) == UInt16(bytes[end]) | UInt16(bytes[end + 1]) << 8 else {
      throw Self.mismatch("a frame whose checksum is wrong")
    }
    guard let kind = Kind(rawValue: bytes[4]) else {
      throw Self.mismatch("a frame of the unknown kind \(bytes[4])")
    }
    self.init(kind, sequence: bytes[5] >> 4, payload: Array(bytes[Self.payloadStart..<end]))
  }

  package var bytes: [UInt8] {
    let checked =
      [kind.rawValue, sequence << 4 | UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
      + payload
    let check = checksum(checked[...])
    return Self.magic + checked + [UInt8(check & 0xFF), UInt8(check >> 8)]
  }

  private static func mismatch(_ what: String) -> SensorFailure {
    SensorFailure(.protocolViolation, "The UPEK reader sent \(what): \(UPEKSensor.wayOut)")
  }
}

/// The checksum of a frame: CRC-16 with the polynomial 0x1021, start 0, not reflected (XMODEM).
package func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
  var remainder: UInt16 = 0
  for byte in bytes { remainder = remainder << 8 ^ table[Int(UInt8(remainder >> 8) ^ byte)] }
  return remainder
}

/// The remainder of each byte.
private let table: [UInt16] = (0..<256).map { byte in
  (0..<8).reduce(UInt16(byte) << 8) { remainder, _ in
    remainder & 0x8000 == 0 ? remainder << 1 : remainder << 1 ^ 0x1021
  }
}

/// A frame of the host, without checksum and sequence number.
struct UPEKCommand {
  let kind: UPEKFrame.Kind
  let payload: [UInt8]

  /// Opens a session. Sent twice with different numbers, whose meaning is not known.
  static let openFirst = UPEKCommand(
    kind: .open, payload: [0x01, 0x00, 0x46, 0x00, 0, 0, 0, 0, 0x01, 0x01, 0, 0, 0])
  static let openAgain = UPEKCommand(
    kind: .open, payload: [0x01, 0x00, 0xBC, 0x02, 0, 0, 0, 0, 0x01, 0x01, 0, 0, 0])
  static let close = UPEKCommand(kind: .close, payload: [0x01])
  /// Asks for the sensor.
  static let describe = UPEKCommand(kind: .data, payload: [0x28, 4, 0, 0, 0, 0x06, 0x04])
  /// Answers a status: go on.
  static let goOn = UPEKCommand(kind: .data, payload: [0x28, 5, 0, 0, 0, 0x00, 0x30, 0x01])
  /// Acknowledges a part of an image.
  static let acknowledge = UPEKCommand(kind: .data, payload: [0x30])
  /// Answers ``UPEKFrame/Kind/busy``.
  static let listening = UPEKCommand(kind: .listening, payload: [])

  /// Asks for an image, without a limit of time (-2).
  static func capture(on sensor: UPEKSensorModel) -> UPEKCommand {
    UPEKCommand(
      kind: .data,
      payload: [
        0x28, 11, 0, 0, 0, 0x0E, 0x02, 0xFE, 0xFF, 0xFF, 0xFF, 0x02, sensor.isSwipe ? 0 : 1, 0x02,
      ])
  }
}

/// An image that arrives part by part.
package struct UPEKImage {
  /// Row by row from the top, as far as they have come.
  package private(set) var pixels: [UInt8] = []
  private let size: Int

  /// Begins an image with its first part.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` if the device announces another size, or
  ///   sends too much.
  package init(
    of sensor: UPEKSensorModel, announced: Int, _ part: [UInt8]
  ) throws(SensorFailure) {
    size = sensor.width * sensor.height
    guard announced == size else {
      throw UPEKMessage.mismatch(
        "an image of \(announced) bytes, where its sensor \(sensor.name) has \(size)")
    }
    pixels.reserveCapacity(size)
    try append(part)
  }

  /// Adds the next part.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` if it is too much.
  package mutating func append(_ part: [UInt8]) throws(SensorFailure) {
    guard part.count <= size - pixels.count else {
      throw UPEKMessage.mismatch("more of an image than it announced")
    }
    pixels += part
  }

  /// Adds the last part.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` if a part is missing.
  package mutating func finish(_ part: [UInt8]) throws(SensorFailure) {
    try append(part)
    guard pixels.count == size else {
      throw UPEKMessage.mismatch("\(pixels.count) bytes of an image of \(size)")
    }
  }
}
