// NB1010Model: the NB-1010-U as software, from the device's side.

public import AuthcoreABI
package import SensorKit

/// The entry point, which is linked under the name `ac_device_model_entry` (model.h).
@c(NB1010Model_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_model: UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>!
) -> ac_status_t {
  unsafe export(model: NB1010Model.self, host: host, ret: ret_model)
}

/// A device that only answers, and keeps answers that are not fetched.
///
/// Settings: `touches`, how often a finger comes (1000 unless said otherwise); `delay`, how many
/// milliseconds after the device was first asked, and after the finger before it was missed;
/// `lift`, how many milliseconds it stays (400).
package struct NB1010Model: DeviceModel {
  package static let name = "nb1010"
  package static let settingNames = ["touches", "delay", "lift"]

  package static let width = 256
  package static let height = 180

  package let info = USBDeviceInfo(
    vendor: 0x298D, product: 0x1010, release: 0x0001,
    interfaces: [
      USBInterfaceInfo(
        number: 0, classCode: 0, subclassCode: 0, protocolCode: 0,
        endpoints: [commands, answers, unused])
    ])

  private static let commands: UInt8 = 0x02
  private static let answers: UInt8 = 0x83
  /// An interrupt endpoint of the device that is not used.
  private static let unused: UInt8 = 0x81

  private let touches: Int
  private let delay: Duration
  private let lift: Duration
  /// The finger that is coming, is there, or has gone unnoticed.
  private var touch = 0
  private var arrival: Duration?
  /// The messages, and the rest of one, that were not fetched.
  private var outbox: [[UInt8]] = []

  package init(settings: ModelSettings) throws(SensorFailure) {
    touches = settings["touches", default: 1000]
    delay = .milliseconds(settings["delay", default: 0])
    lift = .milliseconds(settings["lift", default: 400])
  }

  package mutating func control(_ setup: USBSetup, _ data: [UInt8], at now: Duration)
    -> ControlAnswer
  {
    .stall
  }

  package mutating func write(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> Bool {
    guard
      endpoint == Self.commands, bytes.count >= 8, bytes[0] == 0x80, Int(bytes[4]) == bytes.count
    else { return false }
    switch bytes[1] {
    case 0x38: answer(0x37, to: bytes, argument: signal(at: now))
    case 0x0D: answer(0x20, to: bytes, argument: 0)
    case 0x12:
      answer(0x20, to: bytes, argument: 3)
      sendImage()
    default: return false
    }
    return true
  }

  package mutating func read(from endpoint: UInt8, length: Int, at now: Duration) -> ReadAnswer? {
    guard endpoint == Self.answers, let message = outbox.first else { return nil }
    let part = message.prefix(length)
    if part.count == message.count {
      outbox.removeFirst()
    } else {
      outbox[0].removeFirst(part.count)
    }
    return .bytes(Array(part))
  }

  /// What the device feels. Asking is what brings the first finger, and the next once the one
  /// before was missed.
  private mutating func signal(at now: Duration) -> UInt8 {
    if let arrival {
      guard now >= arrival + lift else { return now >= arrival ? 0xF7 : 0x08 }
      self.arrival = nil
    }
    if touch < touches {
      touch += 1
      arrival = now + delay
    }
    return 0x08
  }

  private mutating func answer(_ code: UInt8, to command: [UInt8], argument: UInt8) {
    outbox.append([0x80, code, command[2], 0, 16, 0, 0, 0, 0, 0, 0, 0, argument, 0, 0, 0])
  }

  private mutating func sendImage() {
    let pixels = Self.image(touch: touch)
    for line in stride(from: 0, to: Self.height, by: 2) {
      var message: [UInt8] = [0x80, 0x21, 0, 0, 0x1C, 0x02, 0, 0, 0, 0, 0, 0]
      message += [line + 2 < Self.height ? 1 : 0, 0, 0, 0]
      message += [UInt8(line + 1), 0, 0, 0]
      message += [0, 1, 0, 0, 1]
      message += pixels[line * Self.width..<(line + 2) * Self.width]
      outbox.append(message + [0, 0, 0])
    }
  }

  /// Arches of another height and place for each touch, nine pixels from ridge to ridge, dark on
  /// light.
  package static func image(touch: Int) -> [UInt8] {
    var pixels: [UInt8] = []
    for line in 0..<height {
      let rise = line - 70 - touch * 23 % 41
      let start = (rise * rise / (40 + touch * 37 % 61) + touch * 4) % period
      pixels += ridges[start..<start + width]
    }
    return pixels
  }

  private static let period = 9

  /// A line across upright ridges.
  private static let ridges = (0..<width + period).map { x in
    UInt8(20 + 48 * abs(x % period - period / 2))
  }
}
