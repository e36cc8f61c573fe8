// The device of template.swift as software: the protocol of README.md from the device's side, for
// `authcore driver check`. SPDX-License-Identifier: Apache-2.0

public import AuthcoreABI
internal import Glibc
internal import SensorKit

/// One device. It never waits and has no thread: it is told what the host does and what time it is.
struct TemplateDevice: DeviceModel {
  static let name = "template"
  #if SWIPE
    /// README.md says what they mean. Every model should know `touches` and `lift`: `authcore
    /// driver check` sets them for a finger that never comes, and for one that stays.
    static let settingNames = ["touches", "delay", "lift", "step", "rows"]

    private static let (width, height) = (128, 12)
    private static let stripesInReport = 4
    private static let stripeTime = Duration.milliseconds(4)
    private static let device: (vendor: UInt16, product: UInt16) = (
      vendor: 0x1209, product: 0x0002
    )
  #else
    /// How often the finger comes, how many milliseconds it takes to come, and how many it stays
    /// once it was read. Every model should know `touches` and `lift`: `authcore driver check` sets
    /// them for a finger that never comes, and for one that stays.
    static let settingNames = ["touches", "delay", "lift"]

    private static let (width, height) = (96, 112)
    /// How long the sensor looks at a finger.
    private static let scanTime = Duration.milliseconds(20)
    private static let device: (vendor: UInt16, product: UInt16) = (
      vendor: 0x1209, product: 0x0001
    )
  #endif
  private static let messages: UInt8 = 0x81
  private static let images: UInt8 = 0x82

  let info = USBDeviceInfo(
    vendor: Self.device.vendor, product: Self.device.product, release: 0x0100,
    interfaces: [
      USBInterfaceInfo(
        number: 0, classCode: 0xFF, subclassCode: 0xFF, protocolCode: 0xFF,
        endpoints: [Self.messages, Self.images])
    ])

  private let touches: Int
  private let delay: Duration
  private let lift: Duration
  private var touch = 0
  /// What it is going to send, where and when.
  private var answer: (time: Duration, endpoint: UInt8, bytes: [UInt8])?
  #if SWIPE
    private let step: Int
    private let rows: Int
    /// The first row of the finger that the next stripe shows.
    private var row = 0
  #else
    /// When the finger that was read last goes.
    private var departure = Duration.zero
  #endif

  init(settings: ModelSettings) throws(SensorFailure) {
    touches = settings["touches", default: 1000]
    delay = .milliseconds(settings["delay", default: 0])
    lift = .milliseconds(settings["lift", default: 0])
    #if SWIPE
      step = settings["step", default: 6]
      rows = settings["rows", default: 260]
      guard step <= 4 * Self.height, rows <= Self.finger.count - Self.margin else {
        throw SensorFailure(.option, "step is 0 to 48, rows is 0 to 384")
      }
    #endif
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
    #if !SWIPE
      case 1 where now < departure:
        // It is still there.
        answer = (now, Self.messages, [1, 0, 0, 0, 0, 0, 0, 0])
    #endif
    case 1:
      // No finger comes any more, and the device goes on waiting.
      guard touch < touches else { break }
      touch += 1
      answer = (now + delay, Self.messages, [1, 0, 0, 0, 0, 0, 0, 0])
    #if SWIPE
      case 2:
        row = 0
        sendReport(number: 0, at: now)
      case 3: answer = (now + lift, Self.messages, [2, 0, 0, 0, 0, 0, 0, 0])
    #else
      case 2:
        departure = now + Self.scanTime + lift
        answer = (now + Self.scanTime, Self.images, image(at: now))
      case 3: answer = (max(now, departure), Self.messages, [2, 0, 0, 0, 0, 0, 0, 0])
    #endif
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
    #if SWIPE
      if endpoint == Self.images, ready.bytes[2] == Self.stripesInReport {
        sendReport(number: ready.bytes[1] &+ 1, at: now)
      }
    #endif
    return .bytes(Array(ready.bytes.prefix(length)))
  }

  #if SWIPE
    /// The next stripes of the finger, which is a little elsewhere at every touch; fewer once it
    /// has gone by. The sensor has noise: no two frames are equal.
    private mutating func sendReport(number: UInt8, at now: Duration) {
      let (right, down) = (touch * 5 % 9, touch * 3 % 7)
      var noise = UInt64(now / .nanoseconds(1)) | 1
      var bytes: [UInt8] = [UInt8(ascii: "S"), number, 0, 0, 0, 0, 0, 0]
      for _ in 0..<Self.stripesInReport where row + Self.height <= rows {
        bytes[2] += 1
        for y in 0..<Self.height {
          for pixel in Self.finger[down + row + y][right..<right + Self.width] {
            noise ^= noise << 13
            noise ^= noise >> 7
            noise ^= noise << 17
            bytes.append(pixel ^ UInt8(noise & 1))
          }
        }
        row += step
      }
      let missing = Self.stripesInReport - Int(bytes[2])
      bytes += [UInt8](repeating: 0, count: missing * Self.width * Self.height)
      answer = (now + Self.stripeTime * Self.stripesInReport, Self.images, bytes)
    }

    /// How much larger the finger is than what is seen of it.
    private static let margin = 16

    /// The finger's ridges, bright. Each spot turns the phase of their waves once around itself, so
    /// a ridge begins there (Larkin and Fletcher, "A coherent framework for fingerprint analysis",
    /// 2007, section 2).
    private static let finger: [[UInt8]] = (0..<400).map { y in
      (0..<width + margin).map { x in
        let aside = Double(x - (width + margin) / 2)
        var phase = 2 * Double.pi * (Double(y) + aside * aside / 160) / 9
        for spot in 0..<32 {
          let turn = atan2(
            Double(y - (spot * 89 % 370 + 10)), Double(x - (spot * 53 % 120 + 10)))
          phase += spot.isMultiple(of: 2) ? turn : -turn
        }
        return UInt8(128 + 110 * cos(phase))
      }
    }
  #else
    /// The finger, which is a little elsewhere at every touch. The sensor has noise: no two frames
    /// are equal.
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

    /// The phase of the finger's ridges, which are waves. Each spot turns it once around itself, so
    /// a ridge begins there (Larkin and Fletcher, "A coherent framework for fingerprint analysis",
    /// 2007, section 2).
    private static func phase(_ x: Double, _ y: Double) -> Double {
      let aside = x - Double(width) / 2
      var sum = 2 * Double.pi * (y + aside * aside / 160) / 9
      for (index, spot) in spots.enumerated() {
        sum += (index.isMultiple(of: 2) ? 1 : -1) * atan2(y - spot.y, x - spot.x)
      }
      return sum
    }

    private static let spots: [(x: Double, y: Double)] = [
      (20, 24), (52, 15), (75, 33), (34, 46), (60, 55), (17, 66), (81, 72), (45, 78), (66, 90),
      (28, 97),
    ]
  #endif
}

/// The one symbol of a device model; see model.h.
@c @implementation
public func ac_device_model_entry(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_model: UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>!
) -> ac_status_t {
  unsafe export(model: TemplateDevice.self, host: host, ret: ret_model)
}
