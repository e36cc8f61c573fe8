import GrayImage
import Protocol
import SyntheticPrints

@testable import EnclaveEngine

/// One touch of a synthetic finger.
struct SimulatedPrint: Sendable {
  let image: GrayImage

  func frame(channel: UInt32, session: UInt64) -> SensorFrame {
    SensorFrame(
      channel: channel, session: session, width: UInt32(image.width),
      height: UInt32(image.height), pixelsPerInch: UInt32(SyntheticFinger.pixelsPerInch),
      pixels: image.pixels)
  }

  /// The same touch with a little noise, as no sensor delivers equal frames.
  var noisy: SimulatedPrint {
    var pixels = image.pixels
    pixels[0] ^= 1
    return SimulatedPrint(
      image: GrayImage(width: image.width, height: image.height, pixels: pixels))
  }

  /// A sensor without touches.
  static let blank = SimulatedPrint(
    image: GrayImage(width: 100, height: 100, pixels: [UInt8](repeating: 255, count: 10_000)))

  /// The same of a sensor of full size.
  static let largeBlank = SimulatedPrint(
    image: GrayImage(width: 400, height: 400, pixels: [UInt8](repeating: 255, count: 160_000)))
}

/// A finger whose touches are made once and shared by all tests.
final class SimulatedFinger: Sendable {
  let enrollmentTouches: [SimulatedPrint]
  let laterTouches: [SimulatedPrint]

  /// A finger on a small sensor of `side` pixels a side, or on a full one.
  convenience init(seed: UInt64, side: Int? = nil, touches: UInt64 = 7) {
    let finger = SyntheticFinger(seed: seed)
    let window = side.map { ImpressionConditions.everyday.window(width: $0, height: $0) }
    self.init(
      (0..<touches).map {
        SimulatedPrint(image: finger.impression(seed: $0, conditions: window ?? .careful))
      })
  }

  /// A finger on a small sensor that lies in the middle and up to `reach` pixels to each side, in
  /// turns.
  convenience init(seed: UInt64, side: Int, reach: Int, touches: UInt64) {
    let finger = SyntheticFinger(seed: seed)
    let whole = side + 2 * reach
    let window = ImpressionConditions.everyday.window(width: whole, height: whole)
    let corners = [(1, 1), (0, 1), (2, 1), (1, 0), (1, 2)]
    self.init(
      (0..<touches).map {
        let corner = corners[Int($0 % 5)]
        return SimulatedPrint(
          image: finger.impression(seed: $0, conditions: window).cropped(
            x: corner.0 * reach, y: corner.1 * reach, width: side, height: side))
      })
  }

  private init(_ prints: [SimulatedPrint]) {
    enrollmentTouches = Array(prints[..<5])
    laterTouches = Array(prints[5...])
  }

  var later: SimulatedPrint { laterTouches[0] }

  static let owner = SimulatedFinger(seed: 11)
  static let ownersOther = SimulatedFinger(seed: 12)
  static let stranger = SimulatedFinger(seed: 13)
  static let ownerOnSmallSensor = SimulatedFinger(seed: 11, side: 160)
}

/// The files of a device with a passcode and the owner's finger, made once and copied by every test
/// that needs one.
enum EnrolledDevice {
  private static let files: Result<[String: [UInt8]], any Error> = Result {
    let device = try SimulatedDevice.withPasscode()
    try device.enroll(.owner, name: "right-index")
    return device.platform.files
  }

  /// Such a device before its first unlock.
  static func beforeFirstUnlock() throws -> SimulatedDevice {
    SimulatedDevice(SimulatedPlatform(files: try files.get(), seed: 1))
  }

  /// Such a device, unlocked by its passcode.
  static func unlocked() throws -> SimulatedDevice {
    let device = try beforeFirstUnlock()
    try device.unlock()
    return device
  }
}
