// ElanModel: an Elan swipe sensor as software.

public import AuthcoreABI
package import SensorKit

/// The entry point, which is linked under the name `ac_device_model_entry` (model.h).
@c(ElanModel_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_model: UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>!
) -> ac_status_t {
  unsafe export(model: ElanModel.self, host: host, ret: ret_model)
}

/// An Elan reader, from the reader's side.
///
/// Settings:
/// - `product`, `firmware`; `width` and `height` of the sensor; `last`, 1 to tell the last index of
///   each side instead
/// - `swipes`, how often a finger comes; `delay`, how many milliseconds it takes to come; `frames`,
///   how often the reader sees it in a swipe; `stays`, how often it sees it after a capture was
///   stopped
/// - `speed`, how many rows the skin moves from frame to frame; `reverse`, 1 for the other
///   direction
/// - `running`, how often a calibration is said to run (0: none is needed); `stale`, 1 when it is
///   said to be done before; `never`, 1 when it changes nothing
/// - `early`, how often the finger lies there before its swipe; `finger`, what is answered when it
///   comes; `bits`, 16 for pixels with too many
package struct ElanModel: DeviceModel {
  package static let name = "elan"
  package static let settingNames = [
    "product", "firmware", "width", "height", "last", "swipes", "delay", "frames", "stays", "speed",
    "reverse", "running", "stale", "never", "early", "finger", "bits",
  ]

  package let info: USBDeviceInfo
  private let product: Int
  private let firmware: Int
  private let scene: ElanScene
  private let sidesAnswer: [UInt8]
  private let delay: Duration
  private let framesOfSwipe: Int
  private let stays: Int
  private let fingerAnswer: UInt8

  private var calibration: ElanModelCalibration
  private var swipesLeft: Int
  private var earlyLeft: Int
  /// How many more times the finger will be seen.
  private var sightsLeft = 0
  /// How often it was seen in this swipe.
  private var sights = 0
  /// When the finger is there, once the light is on.
  private var arrival: Duration?
  private var isNewFinger = false
  private var isWaiting = false
  /// One packet each.
  private var answers: [[UInt8]] = []
  private var image: [UInt8] = []

  package init(settings: ModelSettings) throws(SensorFailure) {
    product = settings["product", default: 0x0C26]
    firmware = settings["firmware", default: 0x0140]
    let width = min(settings["width", default: 144], 256)
    let height = min(settings["height", default: 64], 256)
    let speed = min(settings["speed", default: 9], 100)
    scene = ElanScene(
      width: width, height: height, isRowByRow: product == 0x0C03,
      speed: settings["reverse", default: 0] == 1 ? -speed : speed,
      highBits: settings["bits", default: 14] > 14 ? 0x8000 : 0)
    let less = settings["last", default: 0] == 1 ? 1 : 0
    var sides = [height, width].map { UInt8(truncatingIfNeeded: $0 - less) }
    if product == 0x0C03 { sides.swapAt(0, 1) }
    sidesAnswer = [sides[0], 0, sides[1], 0]
    delay = .milliseconds(settings["delay", default: 0])
    framesOfSwipe = settings["frames", default: 12]
    stays = settings["stays", default: 0]
    fingerAnswer = UInt8(truncatingIfNeeded: settings["finger", default: 0x55])
    calibration = ElanModelCalibration(
      running: settings["running", default: 0], isStale: settings["stale", default: 0] == 1,
      changesNothing: settings["never", default: 0] == 1)
    swipesLeft = settings["swipes", default: 1000]
    earlyLeft = settings["early", default: 0]
    info = USBDeviceInfo(
      vendor: 0x04F3, product: UInt16(truncatingIfNeeded: product), release: 0x0140,
      interfaces: [
        USBInterfaceInfo(
          number: 0, classCode: 0xFF, subclassCode: 0, protocolCode: 0,
          endpoints: [0x81, 0x01, 0x82, 0x83, 0x03])
      ])
  }

  package mutating func control(_ setup: USBSetup, _ data: [UInt8], at now: Duration)
    -> ControlAnswer
  {
    .stall
  }

  package mutating func write(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> Bool {
    guard endpoint == 0x01, bytes.count == 2 else { return false }
    isWaiting = false
    switch (bytes[0], bytes[1]) {
    case (0x40, 0x19): answers.append([UInt8(firmware >> 8 & 0xFF), UInt8(firmware & 0xFF)])
    case (0x00, 0x0C): answers.append(sidesAnswer)
    case (0x40, 0x2A) where product == 0x0907: answers.append([0, 1])
    case (0x00, 0x09): image += frame()
    case (0x40, 0x24): answers.append(calibration.mean(isWide: product == 0x0C42))
    case (0x40, 0x23): say(calibration.query())
    case (0x40, 0x31): turnLightOn(at: now)
    case (0x40, 0x3F): isWaiting = true
    case (0x00, 0x0B): stop()
    default: return false
    }
    return true
  }

  package mutating func read(from endpoint: UInt8, length: Int, at now: Duration) -> ReadAnswer? {
    switch endpoint {
    case 0x82:
      guard !image.isEmpty else { return nil }
      defer { image.removeFirst(min(length, image.count)) }
      return .bytes(Array(image.prefix(length)))
    case 0x83:
      if answers.isEmpty && isWaiting, let arrival, arrival <= now, sightsLeft > 0 {
        isWaiting = false
        if isNewFinger { swipesLeft -= 1 }
        isNewFinger = false
        sightsLeft -= 1
        sights += 1
        say(fingerAnswer)
      }
      guard let answer = answers.first else { return nil }
      answers.removeFirst()
      return .bytes(Array(answer.prefix(length)))
    default: return nil
    }
  }

  /// Adds a one-byte answer, which has two bytes on some readers.
  private mutating func say(_ byte: UInt8) {
    answers.append(product == 0x0C42 ? [byte, 0] : [byte])
  }

  /// The sensor as it looks: the skin while a finger passes, else nothing; an early finger makes
  /// all of it brighter.
  private mutating func frame() -> [UInt8] {
    if sights > 0 { return scene.frame(sights - 1) }
    guard earlyLeft > 0 else { return scene.frame(nil) }
    earlyLeft -= 1
    return scene.brightFrame()
  }

  /// A finger that is still there stays. Otherwise the next one will come.
  private mutating func turnLightOn(at now: Duration) {
    guard sightsLeft == 0, swipesLeft > 0 else { return }
    sightsLeft = framesOfSwipe
    isNewFinger = true
    arrival = now + delay
  }

  /// A finger that was seen goes, unless it stays for a while; one that was not yet seen will come
  /// again.
  private mutating func stop() {
    sightsLeft = isNewFinger ? 0 : min(sightsLeft, stays)
    sights = 0
  }
}

/// How the simulated reader is calibrated.
struct ElanModelCalibration {
  private var isNeeded: Bool
  private let running: Int
  private var runningLeft: Int
  private var isStale: Bool
  private let changesNothing: Bool

  init(running: Int, isStale: Bool, changesNothing: Bool) {
    isNeeded = running > 0
    self.running = running
    runningLeft = running
    self.isStale = isStale
    self.changesNothing = changesNothing
  }

  /// The mean that the reader wants. It is far from that of the empty sensor if a calibration is
  /// needed. Some readers return their own mean instead, which has to be from 2500 to 5500.
  func mean(isWide: Bool) -> [UInt8] {
    let wanted = isWide ? (isNeeded ? 6000 : 4000) : (isNeeded ? 8400 : 5830)
    return [UInt8(wanted / 255), UInt8(wanted % 255)]
  }

  /// The answer about the state: 1 while it runs, 3 when it is done. The next query starts it
  /// again.
  mutating func query() -> UInt8 {
    if isStale {
      isStale = false
      return 3
    }
    if runningLeft > 0 {
      runningLeft -= 1
      return 1
    }
    runningLeft = running
    if !changesNothing { isNeeded = false }
    return 3
  }
}
