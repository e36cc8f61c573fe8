package import SensorKit

/// The message in a frame of the device.
///
/// The payload of a data frame begins with its part of a message: 0x28 all of it, 0x2C the first
/// part, 0x24 a further one, 0x20 the last. A message is its length in two bytes, two zero bytes,
/// an operation in two bytes, and arguments.
package enum UPEKMessage: Equatable, Sendable {
  /// See ``UPEKFrame/Kind``.
  case greeting, opened, closed, busy
  /// Which sensor there is.
  case sensor(UPEKSensorModel)
  case status(UPEKStatus)
  /// An image of `size` bytes begins with these.
  case imageStart(size: Int, [UInt8])
  /// More of the image.
  case imagePart([UInt8])
  case imageEnd([UInt8])

  private enum Part {
    static let whole: UInt8 = 0x28
    static let first: UInt8 = 0x2C
    static let further: UInt8 = 0x24
    static let last: UInt8 = 0x20
  }

  private enum Operation {
    static let sensor: [UInt8] = [0x06, 0x14]
    static let status: [UInt8] = [0x00, 0x20]
    static let image: [UInt8] = [0x0E, 0x12]
  }

  /// Reads a frame. Its sequence number repeats that of the host's frame. It is ignored, because
  /// host and device take turns.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` for a frame that a device does not send;
  ///   ``SensorFailure/Code/unsupported`` for an unknown sensor.
  package init(_ frame: UPEKFrame) throws(SensorFailure) {
    switch frame.kind {
    case .greeting: self = .greeting
    case .opened: self = .opened
    case .closed: self = .closed
    case .busy: self = .busy
    case .data: self = try Self.data(frame.payload)
    case .open, .close, .listening: throw Self.mismatch("a frame that only a host sends")
    }
  }

  private static func data(_ payload: [UInt8]) throws(SensorFailure) -> UPEKMessage {
    switch payload.first {
    case Part.further: return .imagePart(Array(payload.dropFirst()))
    case Part.last:
      // After the image come four bytes, which are 0 in all recordings.
      guard payload.count >= 5 else { throw mismatch("an end of an image without its last word") }
      return .imageEnd(Array(payload[1..<payload.count - 4]))
    case Part.first:
      guard payload.count >= 11, operation(payload) == Operation.image else {
        throw mismatch("the beginning of a message that is no image")
      }
      return .imageStart(size: number(in: payload, at: 7, bytes: 4), Array(payload[11...]))
    case Part.whole:
      guard payload.count >= 7, number(in: payload, at: 1, bytes: 2) <= payload.count - 3 else {
        throw mismatch("a message that is shorter than it says")
      }
      return try message(payload)
    default: throw mismatch("a part of a message of an unknown kind")
    }
  }

  private static func message(_ payload: [UInt8]) throws(SensorFailure) -> UPEKMessage {
    switch operation(payload) {
    case Operation.status where payload.count >= 13:
      return .status(UPEKStatus(code: number(in: payload, at: 11, bytes: 2)))
    case Operation.sensor where payload.count >= 47:
      return .sensor(
        try UPEKSensorModel(
          width: number(in: payload, at: 43, bytes: 2),
          height: number(in: payload, at: 45, bytes: 2), isSwipe: payload[42] & 0x80 != 0))
    default:
      throw mismatch("a message that means nothing to this driver")
    }
  }

  private static func operation(_ payload: [UInt8]) -> [UInt8] { Array(payload[5..<7]) }

  /// A little-endian number of at most four bytes, which fits an Int.
  private static func number(in bytes: [UInt8], at offset: Int, bytes count: Int) -> Int {
    bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  static func mismatch(_ what: String) -> SensorFailure {
    SensorFailure(.protocolViolation, "The UPEK reader sent \(what): \(UPEKSensor.wayOut)")
  }
}

/// What the device says about the finger, before an image.
package enum UPEKStatus: Equatable, Sendable {
  case noFinger
  case fingerOn
  case fingerOff
  /// The finger has to stay on the sensor.
  case keepFinger
  /// The scan cannot be used.
  case spoilt(RetryReason)

  /// Reads the device's number. An unknown one is a failed scan.
  package init(code: Int) {
    self =
      switch code {
      case 0x0C: .noFinger
      case 0x00: .fingerOn
      case 0x01: .fingerOff
      case 0x13: .keepFinger
      case 0x1E: .spoilt(.tooShort)
      // Moved too much to the side.
      case 0x1D: .spoilt(.center)
      default: .spoilt(.general)
      }
  }

  /// Why the person has to try again, or nil if the device goes on by itself. A finger that left
  /// too soon has to be swiped again; an area sensor waits until it stays longer.
  func retry(on sensor: UPEKSensorModel) -> RetryReason? {
    switch self {
    case .noFinger, .fingerOn, .fingerOff: nil
    case .keepFinger: sensor.isSwipe ? .tooShort : nil
    case .spoilt(let reason): reason
    }
  }
}

/// The sensor behind the chip.
package struct UPEKSensorModel: Equatable, Sendable {
  /// The maker's name, `TCS4`.
  package let name: String
  package let isSwipe: Bool
  /// The size of its images: three quarters of the sensor's own pixels.
  package let width: Int
  package let height: Int

  /// The sensors by their size, in their own pixels.
  private static let names: [(width: Int, height: Int, name: String)] = [
    (256, 360, "TCS1"), (208, 288, "TCS2"), (248, 360, "TCS3"), (192, 512, "TCS4"),
    (144, 512, "TCS5"),
  ]

  /// - Throws: ``SensorFailure/Code/unsupported`` for an unknown size.
  package init(width: Int, height: Int, isSwipe: Bool) throws(SensorFailure) {
    guard let known = Self.names.first(where: { $0.width == width && $0.height == height }) else {
      throw SensorFailure(
        .unsupported,
        "The UPEK reader has a sensor of \(width)x\(height) pixels, which this driver does not know"
      )
    }
    name = known.name
    self.isSwipe = isSwipe
    self.width = width * 3 / 4
    self.height = height * 3 / 4
  }
}

/// The products of which one revision speaks this protocol. The other revisions deliver stripes.
enum UPEKProduct {
  private static let vendor: UInt16 = 0x147E
  private static let known: [(product: UInt16, release: UInt16)] = [
    (0x2016, 0x0002), (0x2020, 0x0001),
  ]

  static var matches: [SensorDescription.USBMatch] {
    known.map {
      .init(vendor: vendor, product: $0.product, releases: $0.release...$0.release)
    }
  }

  /// Checks that a device is one of them.
  ///
  /// - Throws: ``SensorFailure/Code/unsupported``, naming the revision it has and the right one.
  static func check(_ info: USBDeviceInfo) throws(SensorFailure) {
    guard info.vendor == vendor, let known = known.first(where: { $0.product == info.product })
    else {
      throw SensorFailure(
        .unsupported,
        "The device is no UPEK reader that this driver knows (USB 147e:2016 or 147e:2020): choose another driver, or another device"
      )
    }
    guard info.release == known.release else {
      throw SensorFailure(
        .unsupported,
        "This UPEK reader has revision \(info.release.hexadecimal); of USB 147e:\(info.product.hexadecimal) only revision \(known.release.hexadecimal) speaks the protocol of this driver"
      )
    }
  }
}
