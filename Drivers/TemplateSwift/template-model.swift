// The device of template.swift as software: the protocol of README.md from the device's side, for
// `authcore driver check`. SPDX-License-Identifier: Apache-2.0

public import AuthcoreABI
internal import Glibc
internal import SensorKit

/// One device. It never waits and has no thread: it is told what the host does and what time it is.
struct TemplateDevice: DeviceModel {
  static let name = "template"
  /// How often the finger comes, how many milliseconds it takes to, and how many it stays once it
  /// was read. Every model should know
  /// `touches`, which the checks set to 0 for a finger that never comes, and `lift`, for one that
  /// stays.
  static let settingNames = ["touches", "delay", "lift"]

  private static let width = 96
  private static let height = 112
  private static let messages: UInt8 = 0x81
  private static let images: UInt8 = 0x82
  /// How long the sensor looks at a finger.
  private static let scanTime = Duration.milliseconds(20)

  let info = USBDeviceInfo(
    vendor: 0x1209, product: 0x0001, release: 0x0100,
    interfaces: [
      USBInterfaceInfo(
        number: 0, classCode: 0xFF, subclassCode: 0xFF, protocolCode: 0xFF,
        endpoints: [Self.messages, Self.images])
    ])

  private let touches: Int
  private let delay: Duration
  private let lift: Duration
  private var touch = 0
  /// When the finger that was read last goes.
  private var departure = Duration.zero
  /// What it is going to send, where and when.
  private var answer: (time: Duration, endpoint: UInt8, bytes: [UInt8])?

  init(settings: ModelSettings) throws(SensorFailure) {
    touches = settings["touches", default: 1000]
    delay = .milliseconds(settings["delay", default: 0])
    lift = .milliseconds(settings["lift", default: 0])
  }

  mutating func control(_ setup: USBSetup, _ data: [UInt8], at now: Duration) -> ControlAnswer {
    switch (setup.type, setup.request) {
    case (0xC0, 2): return .bytes([UInt8(Self.width), UInt8(Self.height), 1, 1])
    case (0x40, 1): return set(mode: setup.value, at: now)
    default: return .stall
    }
  }

  /// Forgets what it was about to send and does as the host asks.
  private mutating func set(mode: UInt16, at now: Duration) -> ControlAnswer {
    answer = nil
    switch mode {
    case 0: break
    case 1 where now < departure:
      // It still lies there.
      answer = (now, Self.messages, [1, 0, 0, 0, 0, 0, 0, 0])
    case 1:
      // A finger that comes no more leaves the device waiting.
      guard touch < touches else { break }
      touch += 1
      answer = (now + delay, Self.messages, [1, 0, 0, 0, 0, 0, 0, 0])
    case 2:
      departure = now + Self.scanTime + lift
      answer = (now + Self.scanTime, Self.images, image(at: now))
    case 3: answer = (max(now, departure), Self.messages, [2, 0, 0, 0, 0, 0, 0, 0])
    default: return .stall
    }
    return .done
  }

  mutating func write(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> Bool {
    // It has no endpoint to write to.
    false
  }

  mutating func read(from endpoint: UInt8, length: Int, at now: Duration) -> ReadAnswer? {
    guard let ready = answer, ready.endpoint == endpoint, ready.time <= now else { return nil }
    answer = nil
    return .bytes(Array(ready.bytes.prefix(length)))
  }

  /// The finger, which lies a little elsewhere at every touch, with the noise of the sensor: no two
  /// frames of one are equal.
  private func image(at now: Duration) -> [UInt8] {
    var noise = UInt64(now / .nanoseconds(1)) | 1
    let (right, down) = (touch * 5 % 9 - 4, touch * 3 % 7 - 3)
    var bytes: [UInt8] = [UInt8(ascii: "I"), 0, 0, 0, 0, 0, 0, 0]
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        let phase = Self.phase(Double(x - right), Double(y - down))
        noise ^= noise << 13
        noise ^= noise >> 7
        noise ^= noise << 17
        bytes.append(UInt8(128 + 110 * cos(phase)) ^ UInt8(noise & 1))
      }
    }
    return bytes
  }

  /// How far a place of the finger lies along the waves that its ridges are. Each of the spots
  /// turns the phase once around itself, so a ridge begins there (Larkin and Fletcher, "A coherent
  /// framework for fingerprint analysis", 2007, section 2).
  private static func phase(_ x: Double, _ y: Double) -> Double {
    let period = 9.0
    let bend = (x - Double(width) / 2) * (x - Double(width) / 2) / 160
    var sum = 2 * Double.pi * (y + bend) / period
    for (index, spot) in spots.enumerated() {
      sum += (index.isMultiple(of: 2) ? 1 : -1) * atan2(y - spot.y, x - spot.x)
    }
    return sum
  }

  private static let spots: [(x: Double, y: Double)] = [
    (20, 24), (52, 15), (75, 33), (34, 46), (60, 55), (17, 66), (81, 72), (45, 78), (66, 90),
    (28, 97),
  ]
}

/// The one symbol of a device model; see model.h.
@c @implementation
public func ac_device_model_entry(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_model: UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>!
) -> ac_status_t {
  unsafe export(model: TemplateDevice.self, host: host, ret: ret_model)
}
