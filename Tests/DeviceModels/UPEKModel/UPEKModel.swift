// UPEKModel: the UPEK "Biometric Coprocessor" as software, from the device's side.

public import AuthcoreABI
package import SensorKit

/// The entry point, which is linked under the name `ac_device_model_entry` (model.h).
@c(UPEKModel_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_model: UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>!
) -> ac_status_t {
  unsafe export(model: UPEKModel.self, host: host, ret: ret_model)
}

/// A chip with one of its sensors. Host and device take turns; in a capture it has the next word
/// whenever the host has answered the one before.
///
/// Settings: `sensor`, 1…5 for TCS1 to TCS5 (4 unless said otherwise); `touches`, how often a
/// finger comes (1000); `delay`, how many milliseconds after it was asked for; `lift`, how many
/// milliseconds it stays on an area sensor (400); `status`, what the device says of the first touch
/// (nothing); `busy`, how often it asks whether the host still listens before each touch; `empty`,
/// how many reads end with nothing before each status and image; `product` and `release`, as the
/// descriptor has them.
package struct UPEKModel: DeviceModel {
  package static let name = "upek"
  package static let settingNames = [
    "sensor", "touches", "delay", "lift", "status", "busy", "empty", "product", "release",
  ]

  package let info: USBDeviceInfo
  private let sensor: SimulatedSensor
  private let touches: Int
  private let delay: Duration
  private let lift: Duration
  private let status: Int
  private let busy: Int
  private let empty: Int

  /// The last touch, and when its finger goes.
  private var touch = 0
  private var departure = Duration.zero
  /// The frames that it will send in this capture, each not before its time.
  private var turns: [(time: Duration, frame: SimulatedFrame)] = []
  /// The packets to be read.
  private var outbox: [(time: Duration, bytes: [UInt8])] = []
  /// The number of the host's frame that is answered.
  private var sequence: UInt8 = 0

  package init(settings: ModelSettings) throws(SensorFailure) {
    let number = settings["sensor", default: 4]
    guard let sensor = SimulatedSensor(number: number) else {
      throw SensorFailure(.option, "sensor is 1 to 5, not \(number)")
    }
    self.sensor = sensor
    touches = settings["touches", default: 1000]
    delay = .milliseconds(settings["delay", default: 0])
    lift = .milliseconds(settings["lift", default: 400])
    status = settings["status", default: -1]
    busy = settings["busy", default: 0]
    empty = settings["empty", default: 0]
    info = USBDeviceInfo(
      vendor: 0x147E, product: UInt16(clamping: settings["product", default: 0x2016]),
      release: UInt16(clamping: settings["release", default: 2]),
      interfaces: [
        USBInterfaceInfo(
          number: 0, classCode: 0xFF, subclassCode: 0, protocolCode: 0,
          endpoints: [0x81, 0x02, 0x83])
      ])
  }

  package mutating func control(_ setup: USBSetup, _ data: [UInt8], at now: Duration)
    -> ControlAnswer
  {
    guard setup.type == 0x40, setup.request == 0x0C, setup.value == 0x0100, setup.index == 0x0400
    else { return .stall }
    stop()
    sequence = 0
    say(SimulatedFrame(0x03, [0x01] + Array("10.5".utf8)), at: now)
    return .done
  }

  package mutating func write(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> Bool {
    guard endpoint == 0x02, let (frame, sequence) = SimulatedFrame.decode(bytes) else {
      return false
    }
    self.sequence = sequence
    switch (frame.kind, frame.payload) {
    case (0x04, _): say(SimulatedFrame(0x05, [0x00]), at: now)
    case (0x07, [0x01]):
      stop()
      say(SimulatedFrame(0x01, []), at: now)
    case (0x00, [0x28, 4, 0, 0, 0, 0x06, 0x04]): say(sensor.information, at: now)
    case (0x00, [0x28, 11, 0, 0, 0, 0x0E, 0x02, 0xFE, 0xFF, 0xFF, 0xFF, 2, sensor.areaFlag, 2]):
      beginCapture(at: now)
      takeTurn(at: now)
    case (0x00, [0x28, 5, 0, 0, 0, 0x00, 0x30, 0x01]), (0x00, [0x30]), (0x09, []):
      takeTurn(at: now)
    default: return false
    }
    return true
  }

  package mutating func read(from endpoint: UInt8, length: Int, at now: Duration) -> ReadAnswer? {
    guard endpoint == 0x81, let first = outbox.first, first.time <= now else { return nil }
    let part = first.bytes.prefix(length)
    if part.count == first.bytes.count {
      outbox.removeFirst()
    } else {
      outbox[0].bytes.removeFirst(part.count)
    }
    return .bytes(Array(part))
  }

  /// Plans its frames up to the image, or up to the failure of the touch.
  private mutating func beginCapture(at now: Duration) {
    turns = []
    guard sensor.isSwipe || now >= departure else {
      // The finger of the last image is still there, and is scanned again.
      plan(.status(0x00), at: now)
      sensor.image(touch: touch).forEach { plan($0, at: now) }
      return
    }
    plan(.status(0x0C), at: now)
    for _ in 0..<busy { plan(SimulatedFrame(0x08, []), at: now) }
    guard touch < touches else { return }
    touch += 1
    let arrival = now + delay
    departure = arrival + lift
    if status >= 0 && touch == 1 {
      plan(.status(status), at: arrival)
      if sensor.isSwipe {
        plan(.status(0x01), at: arrival)
        return
      }
    }
    plan(.status(0x00), at: arrival)
    sensor.image(touch: touch).forEach { plan($0, at: arrival) }
  }

  private mutating func plan(_ frame: SimulatedFrame, at time: Duration) {
    turns.append((time, frame))
  }

  private mutating func takeTurn(at now: Duration) {
    guard !turns.isEmpty else { return }
    let turn = turns.removeFirst()
    if turn.frame.isStatus || turn.frame.payload.first == 0x2C {
      for _ in 0..<empty { outbox.append((turn.time, [])) }
    }
    say(turn.frame, at: max(now, turn.time))
  }

  private mutating func say(_ frame: SimulatedFrame, at time: Duration) {
    // Only data frames carry the number of the host's frame.
    outbox.append((time, frame.encoded(sequence: frame.kind == 0x00 ? sequence : 0)))
  }

  private mutating func stop() {
    outbox = []
    turns = []
  }
}
