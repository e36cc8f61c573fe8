// AuthenTecModel: AuthenTec's readers from the device's side.

public import AuthcoreABI
internal import SensorKit

/// The entry point, which is linked under the name `ac_device_model_entry` (model.h).
@c(AuthenTecModel_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_model: UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>!
) -> ac_status_t {
  unsafe export(model: AuthenTecDevice.self, host: host, ret: ret_model)
}

/// An AuthenTec reader as software.
///
/// Settings: `chip`, the USB product number (0x2580, an AES2501, unless said otherwise); `touches`,
/// how often the finger comes; `delay`, how many milliseconds it takes to come once the host waits
/// for it; `hold`, how many milliseconds it stays where nobody reads it; `step`, how many rows a
/// swipe moves from stripe to stripe, 0 for a finger that stands; `rows`, how many rows of the
/// finger come by; `tuning`, how often an AES2501 has to tune itself.
struct AuthenTecDevice: DeviceModel {
  static let name = "authentec"
  static let settingNames = ["chip", "touches", "delay", "hold", "step", "rows", "tuning"]

  static let messages: UInt8 = 0x81
  static let registers: UInt8 = 0x02

  let info: USBDeviceInfo
  private var chip: any SimulatedChip
  private var outbox: [Message] = []

  /// Something that the chip sends, and when at the earliest.
  struct Message {
    let time: Duration
    var bytes: [UInt8]
  }

  init(settings: ModelSettings) throws(SensorFailure) {
    let product = settings["chip", default: 0x2580]
    switch product {
    case 0x5731: chip = PressSimulation(settings, side: 128, trailer: 129)
    case 0x5501: chip = PressSimulation(settings, side: 96, trailer: 83)
    case 0x2500, 0x2580: chip = SwipeSimulation(settings)
    default:
      throw SensorFailure(.option, "There is no chip 0x\(String(product, radix: 16))")
    }
    info = USBDeviceInfo(
      vendor: 0x08FF, product: UInt16(product), release: 0x0623,
      interfaces: [
        USBInterfaceInfo(
          number: 0, classCode: 0xFF, subclassCode: 0xFF, protocolCode: 0xFF,
          endpoints: [Self.messages, Self.registers])
      ])
  }

  mutating func control(_ setup: USBSetup, _ data: [UInt8], at now: Duration)
    -> ControlAnswer
  {
    .stall
  }

  /// Takes pairs of register and value, 16 at most, one after the other.
  mutating func write(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> Bool {
    guard endpoint == Self.registers, bytes.count.isMultiple(of: 2), 2...32 ~= bytes.count
    else { return false }
    for index in stride(from: 0, to: bytes.count, by: 2) {
      if bytes[index] == 0x80 && bytes[index + 1] & 1 == 1 { outbox = [] }
      if let message = chip.write(bytes[index], bytes[index + 1], at: now) {
        outbox.append(message)
      }
    }
    return true
  }

  mutating func read(from endpoint: UInt8, length: Int, at now: Duration) -> ReadAnswer? {
    guard endpoint == Self.messages else { return .stall }
    guard let message = outbox.first, message.time <= now else { return nil }
    if message.bytes.count > length {
      outbox[0].bytes.removeFirst(length)
    } else {
      outbox.removeFirst()
    }
    return .bytes(Array(message.bytes.prefix(length)))
  }
}

/// A chip behind the endpoints.
protocol SimulatedChip {
  /// Takes a register's value. Returns the message that the chip sends in answer, if any.
  mutating func write(_ register: UInt8, _ value: UInt8, at now: Duration)
    -> AuthenTecDevice.Message?
}

/// An AES3500 or AES4000. Once armed, it sends an image as soon as there is a finger.
struct PressSimulation: SimulatedChip {
  /// For detecting a finger and for scanning it.
  private static let scanTime = Duration.milliseconds(70)

  private let side: Int
  /// Bytes after the stripes.
  private let trailer: Int
  private let touches: Int
  private let delay: Duration
  private let hold: Duration
  private var touch = 0
  /// When the finger of this touch is lifted.
  private var liftTime = Duration.zero

  init(_ settings: ModelSettings, side: Int, trailer: Int) {
    self.side = side
    self.trailer = trailer
    touches = settings["touches", default: 1000]
    delay = .milliseconds(settings["delay", default: 200])
    hold = .milliseconds(settings["hold", default: 400])
  }

  mutating func write(_ register: UInt8, _ value: UInt8, at now: Duration)
    -> AuthenTecDevice.Message?
  {
    guard register == 0x81, value == 0x04 else { return nil }
    if now >= liftTime || touch == 0 {
      guard touch < touches else { return nil }
      touch += 1
      liftTime = now + delay + hold
      return image(at: now + delay + Self.scanTime)
    }
    return image(at: now + Self.scanTime)
  }

  private func image(at time: Duration) -> AuthenTecDevice.Message {
    var bytes: [UInt8] = []
    for stripe in 0..<side / 16 {
      bytes.append(0xE0 | UInt8(stripe))
      bytes += SyntheticRidges.packed(
        SyntheticRidges.part(x: 0, y: stripe * 16, width: side, height: 16, touch: touch),
        width: side)
    }
    bytes += [0xDF] + Array(repeating: 0, count: trailer - 1)
    return AuthenTecDevice.Message(time: time, bytes: bytes)
  }
}
