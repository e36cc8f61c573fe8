// URU4000Model: a U.are.U 4500, or one of the readers made of the same parts, as software.

public import AuthcoreABI
package import SensorKit

/// The entry point, which is linked under the name `ac_device_model_entry` (model.h).
@c(URU4000Model_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_model: UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>!
) -> ac_status_t {
  unsafe export(model: URU4000Model.self, host: host, ret: ret_model)
}

/// The reader from its own side: registers, a queue of three messages, encrypted images.
///
/// Settings: `model`, the product number (0x000a, a U.are.U 4500; 0x00ca is the Microsoft
/// Fingerprint Reader v2); `finger`, whose it is (1); `first`, its first impression (1; each touch
/// is the next one); `touches`, how often it comes (1000); `delay` and `lift`, how many
/// milliseconds it takes to come and to go (0); `death`, which touch fails with an announcement and
/// an empty transfer (0xffffffff: each); `encrypted`, whether the pixels are (1); `rekey`, whether
/// the key changes within an image (0); `deaf`, how often the scanner does not report that it has
/// power (0); `confused`, whether the reader was left in the middle of something (0); `noise`, what
/// the camera's noise is made of (0: it has none, and pictures of one impression are equal).
package struct URU4000Model: DeviceModel {
  package static let name = "uru4000"
  package static let settingNames = [
    "model", "finger", "first", "touches", "delay", "lift", "death", "encrypted", "rekey", "deaf",
    "confused", "noise",
  ]

  private enum Code {
    static let powered: [UInt8] = [0x56, 0xAA]
    static let fingerOn: [UInt8] = [0x01, 0x01]
    static let fingerOff: [UInt8] = [0x02, 0x00]
    static let death: [UInt8] = [0x08, 0x00]
  }

  private static let scanTime = Duration.milliseconds(127)
  private static let mostMessages = 3

  package let info: USBDeviceInfo
  private let isKnownToChallenge: Bool
  private let firstImpression: Int
  private let noise: UInt64
  private let finger: UInt64
  private let deadTouch: Int
  private let transfer: ImageTransfer
  private let optics: Optics
  private var person: Person
  private var power: PowerState
  private var keys = FrameKeys()
  private var mode: UInt8 = 0
  private var deafness: Int
  /// What it is going to report, in order of time; and whether the finger's next coming or going
  /// was.
  private var messages: [(time: Duration, code: [UInt8])] = []
  private var isWatching = false
  /// The image that is on its way.
  private var image: (time: Duration, bytes: [UInt8])?

  package init(settings: ModelSettings) throws(SensorFailure) {
    let product = settings["model", default: 0x0A]
    guard [0xBB, 0xBC, 0xBD, 0xCA, 0x07, 0x08, 0x0A].contains(product) else {
      throw SensorFailure(
        .option,
        "The setting model is a product of this family: 0xbb, 0xbc, 0xbd, 0xca, 0x07, 0x08 or 0x0a")
    }
    info = Self.descriptor(UInt16(product))
    isKnownToChallenge = product == 0xCA
    finger = UInt64(settings["finger", default: 1])
    firstImpression = settings["first", default: 1]
    noise = UInt64(settings["noise", default: 0])
    deadTouch = settings["death", default: 0]
    deafness = settings["deaf", default: 0]
    let patch = product == 0xCA ? (x: 177, y: 117) : (x: 196, y: 122)
    optics = Optics(patch: patch)
    transfer = ImageTransfer(
      blocks: settings["rekey", default: 0] == 0 ? ImageTransfer.usual : ImageTransfer.rekeyed,
      keyNumber: product == 0xCA ? 5 : 0, patch: patch,
      isEncrypted: settings["encrypted", default: 1] != 0)
    person = Person(
      touches: settings["touches", default: 1000],
      delay: .milliseconds(settings["delay", default: 0]),
      lift: .milliseconds(settings["lift", default: 0]))
    power = PowerState(
      challenges: isKnownToChallenge, isConfused: settings["confused", default: 0] != 0)
  }

  /// The keyboards and mice have the reader as their second interface.
  private static func descriptor(_ product: UInt16) -> USBDeviceInfo {
    let isCombined = [0xBB, 0xBC, 0x08].contains(product)
    let reader = USBInterfaceInfo(
      number: isCombined ? 1 : 0, classCode: 0xFF, subclassCode: 0xFF, protocolCode: 0xFF,
      endpoints: [0x81, 0x82])
    let keys = USBInterfaceInfo(
      number: 0, classCode: 3, subclassCode: 1, protocolCode: 1, endpoints: [0x83])
    return USBDeviceInfo(
      vendor: product >= 0xBB ? 0x045E : 0x05BA, product: product, release: 0x0103,
      interfaces: isCombined ? [keys, reader] : [reader])
  }

  package mutating func write(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> Bool {
    false
  }

  package mutating func read(from endpoint: UInt8, length: Int, at now: Duration) -> ReadAnswer? {
    switch endpoint {
    case 0x81: nextMessage(at: now).map { .bytes(Array($0.prefix(length))) }
    case 0x82: nextImageBytes(length, at: now).map { .bytes($0) }
    default: .stall
    }
  }

  package mutating func control(_ setup: USBSetup, _ data: [UInt8], at now: Duration)
    -> ControlAnswer
  {
    guard [0x40, 0xC0].contains(setup.type), [0x04, 0x0C].contains(setup.request) else {
      return .stall
    }
    if setup.isRead { return .bytes(Array(register(setup.value).prefix(Int(setup.length)))) }
    return setRegister(setup.value, data, at: now) ? .done : .stall
  }

  private mutating func register(_ address: UInt16) -> [UInt8] {
    switch address {
    case 0x0007: [power.read()]
    case 0x0034: keys.answer
    case 0x004E: [mode]
    case 0x00F0: isKnownToChallenge ? Versions.microsoft : Versions.digitalPersona
    case 0x2010: Handshake.challenge
    // No driver needs other registers.
    default: [UInt8](repeating: 0, count: 64)
    }
  }

  private mutating func setRegister(_ address: UInt16, _ data: [UInt8], at now: Duration) -> Bool {
    guard let first = data.first else { return false }
    switch address {
    case 0x0007:
      let isPowered = power.write(first)
      if !power.isAwake { stop() }
      guard isPowered else { return true }
      if deafness > 0 { deafness -= 1 } else { report(Code.powered, at: now) }
    case 0x0033: keys.ask(data)
    case 0x004E: enter(first, at: now)
    case 0x2000: if data == Handshake.response { power.unlock() }
    default: break
    }
    return true
  }

  private mutating func stop() {
    mode = 0
    messages = []
    image = nil
    isWatching = false
  }

  private mutating func enter(_ mode: UInt8, at now: Duration) {
    guard power.isAwake else { return }
    self.mode = mode
    isWatching = mode == 0x10 || mode == 0x12
    switch mode {
    case 0x10:
      person.invite(at: now)
      // A real 4500 repeats itself here.
      report(Code.powered, at: now + .milliseconds(8))
      report(Code.powered, at: now + .milliseconds(16))
    case 0x12: person.dismiss(at: now)
    case 0x20: scan(at: now)
    case 0x70: stop()
    default: break
    }
  }

  private mutating func report(_ code: [UInt8], at time: Duration) {
    guard messages.count < Self.mostMessages else { return }
    messages.append((time, code))
  }

  private mutating func nextMessage(at now: Duration) -> [UInt8]? {
    let isDown = person.isDown(at: now)
    if isWatching, isDown == (mode == 0x10) {
      isWatching = false
      report(isDown ? Code.fingerOn : Code.fingerOff, at: now)
    }
    guard let index = messages.firstIndex(where: { $0.time <= now }) else { return nil }
    // Behind the code comes what follows in the firmware's table.
    return messages.remove(at: index).code + [UInt8](repeating: 0x0E, count: 62)
  }

  private mutating func scan(at now: Duration) {
    let isDown = person.isDown(at: now)
    if isDown && (deadTouch == person.touch || deadTouch == 0xFFFF_FFFF) {
      report(Code.death, at: now)
      image = (now + Self.scanTime, [])
      return
    }
    let touch = Scan.Touch(
      finger: finger, impression: UInt64(firstImpression + person.touch - 1))
    var pixels = isDown ? Scan.pixels(of: touch, optics: optics) : Scan.empty
    if noise > 0 { pixels = Scan.withNoise(pixels, seed: noise &+ UInt64(now / .nanoseconds(1))) }
    image = (now + Self.scanTime, transfer.bytes(pixels))
  }

  /// A host may fetch an image in several reads; the last one is short.
  private mutating func nextImageBytes(_ length: Int, at now: Duration) -> [UInt8]? {
    guard let (time, bytes) = image, time <= now else { return nil }
    image = bytes.count > length ? (time, Array(bytes.dropFirst(length))) : nil
    return Array(bytes.prefix(length))
  }
}

/// Register 00f0: versions, as two readers have them.
enum Versions {
  static let digitalPersona: [UInt8] = [
    0x1A, 0x0A, 0x1A, 0x0A, 0x01, 0x15, 0x00, 0x00, 0x00, 0x20, 0x00, 0x10, 0x8B, 0x21, 0x11, 0x30,
  ]
  static let microsoft: [UInt8] = [
    0x50, 0x25, 0x50, 0x25, 0x00, 0x34, 0x00, 0x00, 0x00, 0x13, 0x00, 0x59, 0x67, 0x19, 0x18, 0x00,
  ]
}
