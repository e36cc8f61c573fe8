// The device of template.swift as software: the protocol of README.md from the device's side, for `authcore driver check`.
// SPDX-License-Identifier: Apache-2.0

public import AuthcoreABI
internal import SensorKit

/// One device. It never waits and has no thread: it is told what the host does and what time it is.
struct TemplateDevice: DeviceModel {
  static let name = "template"
  /// How often the finger comes, and how many milliseconds it takes to. Every model should know `touches`: the checks set it to 0
  /// for a finger that never comes.
  static let settingNames = ["touches", "delay"]

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
  private var touch = 0
  /// What it is going to send, where and when.
  private var answer: (time: Duration, endpoint: UInt8, bytes: [UInt8])?

  init(settings: ModelSettings) throws(SensorFailure) {
    touches = settings["touches", default: 1000]
    delay = .milliseconds(settings["delay", default: 0])
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
    case 1:
      // A finger that comes no more leaves the device waiting.
      guard touch < touches else { break }
      touch += 1
      answer = (now + delay, Self.messages, [1, 0, 0, 0, 0, 0, 0, 0])
    case 2: answer = (now + Self.scanTime, Self.images, image())
    case 3: answer = (now + delay, Self.messages, [2, 0, 0, 0, 0, 0, 0, 0])
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

  /// A pattern that tells pixels and touches apart. A model of a real reader would draw ridges here.
  private func image() -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "I"), 0, 0, 0, 0, 0, 0, 0]
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        bytes.append(UInt8(truncatingIfNeeded: x &* 7 &+ y &* 13 &+ touch &* 31))
      }
    }
    return bytes
  }
}

/// The one symbol of a device model; see model.h.
@c @implementation
public func ac_device_model_entry(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_model: UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>!
) -> ac_status_t {
  unsafe export(model: TemplateDevice.self, host: host, ret: ret_model)
}
