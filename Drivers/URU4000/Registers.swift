internal import FrameAssembly
internal import SensorKit

/// The readers of this family. They differ in how they wake up and how they are mounted.
struct Product {
  /// idVendor
  let vendor: UInt16
  /// idProduct
  let product: UInt16
  /// Whether the host has to answer a challenge to wake it; see ``Wake``.
  var challenges = false
  /// Whether frames are upside down and mirrored, unlike those of the others.
  var isTurned = false

  static let all = [
    Product(vendor: 0x045E, product: 0x00BB),  // Microsoft keyboard with reader
    Product(vendor: 0x045E, product: 0x00BC),  // Microsoft wireless IntelliMouse with reader
    Product(vendor: 0x045E, product: 0x00BD),  // Microsoft Fingerprint Reader
    Product(vendor: 0x045E, product: 0x00CA, challenges: true),  // Microsoft Fingerprint Reader v2
    Product(vendor: 0x05BA, product: 0x0007),  // U.are.U 4000
    Product(vendor: 0x05BA, product: 0x0008),  // U.are.U 4000 in a keyboard
    Product(vendor: 0x05BA, product: 0x000A, isTurned: true),  // U.are.U 4000B and 4500
  ]

  /// That only one product is turned is a convention of libfprint, kept so that frames can be
  /// compared.
  var layout: FrameLayout {
    isTurned ? [.inverted, .flippedHorizontally, .flippedVertically] : .inverted
  }

  static func of(_ info: USBDeviceInfo) throws(SensorFailure) -> Product {
    guard let known = all.first(where: { $0.vendor == info.vendor && $0.product == info.product })
    else {
      throw SensorFailure(
        .unsupported,
        "The device is no U.are.U 4000 or 4500 and no Microsoft reader; "
          + "`authcore driver list` names the drivers there are")
    }
    return known
  }

  /// Products with a keyboard or a mouse have the reader as a later interface.
  static func interface(of info: USBDeviceInfo) throws(SensorFailure) -> UInt8 {
    let found = info.interfaces.first { interface in
      interface.classCode == 0xFF && interface.subclassCode == 0xFF
        && interface.protocolCode == 0xFF && interface.endpoints.contains(0x81)
        && interface.endpoints.contains(0x82)
    }
    guard let found else {
      throw SensorFailure(
        .protocolViolation,
        "The device has no interface ff/ff/ff with endpoints 0x81 and 0x82, as these readers have; "
          + Registers.wayOut)
    }
    return found.number
  }
}

/// The registers of a reader, which are accessed by vendor control requests.
struct Registers {
  private static let request: UInt8 = 0x04
  /// The reader usually answers within two milliseconds.
  private static let answerTime = Duration.seconds(1)

  let usb: USBDevice

  enum Address: UInt16 {
    /// 1 byte: power and state; see ``HardwareStatus``.
    case hardwareStatus = 0x0007
    /// 5 bytes, written: a key's number, then the host's seed.
    case keyRequest = 0x0033
    /// 4 bytes, read: that key, XORed with the seed.
    case key = 0x0034
    /// 1 byte: what the reader does; see ``Mode``.
    case mode = 0x004E
    /// 16 bytes: versions.
    case versions = 0x00F0
    /// 16 bytes, written: the answer to the challenge.
    case response = 0x2000
    /// 16 bytes, read: the challenge.
    case challenge = 0x2010
  }

  enum Mode: UInt8 {
    case awaitFinger = 0x10
    case awaitLift = 0x12
    case capture = 0x20
    case off = 0x70
  }

  func write(_ bytes: [UInt8], to address: Address) throws(SensorFailure) {
    do throws(SensorFailure) {
      try usb.write(
        USBControlRequest(Self.request, value: address.rawValue), bytes, deadline: Self.answerTime)
    } catch {
      throw Self.explained(error)
    }
  }

  func read(_ address: Address, count: Int) throws(SensorFailure) -> [UInt8] {
    let bytes: [UInt8]
    do throws(SensorFailure) {
      bytes = try usb.read(
        USBControlRequest(Self.request, value: address.rawValue), length: UInt16(count),
        deadline: Self.answerTime)
    } catch {
      throw Self.explained(error)
    }
    guard bytes.count == count else {
      throw SensorFailure(
        .protocolViolation,
        "The reader gave \(bytes.count) of the \(count) bytes of its register \(address); "
          + Self.wayOut)
    }
    return bytes
  }

  func set(_ mode: Mode) throws(SensorFailure) {
    try write([mode.rawValue], to: .mode)
  }

  func hardwareStatus() throws(SensorFailure) -> HardwareStatus {
    HardwareStatus(rawValue: try read(.hardwareStatus, count: 1)[0])
  }

  func set(_ status: HardwareStatus) throws(SensorFailure) {
    try write([status.rawValue], to: .hardwareStatus)
  }

  /// What a person can do if the reader misbehaves.
  static let wayOut = "unplug the reader and plug it in again"

  /// Makes the failure one that a person understands. A timeout means that no finger came, so it is
  /// another failure if the reader does not answer.
  private static func explained(_ failure: SensorFailure) -> SensorFailure {
    switch failure.code {
    case .timeout: SensorFailure(.inputOutput, "The reader does not answer; \(wayOut)")
    case .stall: SensorFailure(.stall, "\(failure.message); \(wayOut)")
    default: failure
    }
  }
}

/// The register HWSTAT. It does not read back what was written.
struct HardwareStatus: OptionSet {
  let rawValue: UInt8

  /// Alive again, after ``confused`` was cleared.
  static let alive = HardwareStatus(rawValue: 0x01)
  /// Something is wrong, if ``lowPower`` is set too.
  static let confused = HardwareStatus(rawValue: 0x04)
  static let lowPower = HardwareStatus(rawValue: 0x80)

  /// The bits that are written back.
  var low: HardwareStatus { HardwareStatus(rawValue: rawValue & 0x0F) }
}
