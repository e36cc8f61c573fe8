public import AuthcoreABI
internal import SensorKit

/// The entry point, which is linked under the name `ac_device_model_entry` (model.h).
@c(PressModel_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_model: UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>!
) -> ac_status_t {
  unsafe export(model: PressSensorModel.self, host: host, ret: ret_model)
}

/// The imaginary press sensor of Drivers/Template/README.md, with a pattern that makes pixels and
/// touches different, and with bad manners that a driver has to bear.
///
/// Settings: `touches`, how often the finger comes (1000 unless said otherwise); `delay`, how many
/// milliseconds it takes to come and to go; `verdict`, what the device says of the first touch
/// (0…4); `chatter`, how many messages without meaning come before each that has one.
struct PressSensorModel: DeviceModel {
  static let name = "press"
  static let settingNames = ["touches", "delay", "verdict", "chatter"]

  static let width = 96
  static let height = 112

  /// How long the sensor looks at a finger.
  private static let scanTime = Duration.milliseconds(20)

  let info = USBDeviceInfo(
    vendor: 0x1209, product: 0x0001, release: 0x0100,
    interfaces: [
      USBInterfaceInfo(
        number: 0, classCode: 0xFF, subclassCode: 0xFF, protocolCode: 0xFF,
        endpoints: [Endpoint.messages, Endpoint.images])
    ])

  private enum Endpoint {
    static let messages: UInt8 = 0x81
    static let images: UInt8 = 0x82
  }

  private enum Request {
    static let setMode: UInt8 = 1
    static let identity: UInt8 = 2
  }

  private enum Mode: UInt16 {
    case off, awaitTouch, sendImage, awaitLift
  }

  private let touches: Int
  private let delay: Duration
  private let firstVerdict: UInt8
  private let chatter: Int
  /// What it will send, and when.
  private var outbox: [(time: Duration, endpoint: UInt8, bytes: [UInt8])] = []
  /// The touches that the host was told of.
  private var touch = 0

  init(settings: ModelSettings) throws(SensorFailure) {
    touches = settings["touches", default: 1000]
    delay = .milliseconds(settings["delay", default: 0])
    firstVerdict = UInt8(truncatingIfNeeded: settings["verdict", default: 0])
    chatter = settings["chatter", default: 0]
  }

  mutating func control(_ setup: USBSetup, _ data: [UInt8], at now: Duration)
    -> ControlAnswer
  {
    switch (setup.type, setup.request) {
    case (0xC0, Request.identity):
      return .bytes([UInt8(Self.width), UInt8(Self.height), 1, 1])
    case (0x40, Request.setMode):
      guard let mode = Mode(rawValue: setup.value) else { return .stall }
      enter(mode, at: now)
      return .done
    default:
      return .stall
    }
  }

  mutating func write(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> Bool {
    false
  }

  mutating func read(from endpoint: UInt8, length: Int, at now: Duration) -> ReadAnswer? {
    guard
      let index = outbox.firstIndex(where: { $0.endpoint == endpoint && $0.time <= now })
    else { return nil }
    return .bytes(Array(outbox.remove(at: index).bytes.prefix(length)))
  }

  /// Forgets what it was about to send and does as the host asks.
  private mutating func enter(_ mode: Mode, at now: Duration) {
    outbox = []
    switch mode {
    case .off:
      break
    case .awaitTouch:
      // If no finger comes any more, the device goes on waiting.
      guard touch < touches else { return }
      touch += 1
      announce(1, at: now + delay)
    case .awaitLift:
      announce(2, at: now + delay)
    case .sendImage:
      outbox = [(now + Self.scanTime, Endpoint.images, image())]
    }
  }

  /// Sends a message, after the chatter, which takes a millisecond each.
  private mutating func announce(_ kind: UInt8, at time: Duration) {
    for count in 0..<chatter { send(0x7E, at: time + .milliseconds(count)) }
    send(kind, at: time + .milliseconds(chatter))
  }

  private mutating func send(_ kind: UInt8, at time: Duration) {
    outbox.append((time, Endpoint.messages, [kind, 0, 0, 0, 0, 0, 0, 0]))
  }

  /// A header, then a pattern that differs by pixel and touch. The tests have the same one.
  private func image() -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "I"), touch == 1 ? firstVerdict : 0, 0, 0, 0, 0, 0, 0]
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        bytes.append(UInt8(truncatingIfNeeded: x &* 7 &+ y &* 13 &+ touch &* 31))
      }
    }
    return bytes
  }
}
