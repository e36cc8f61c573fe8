internal import SensorKit

/// A command, two bytes on ``request``, and how many bytes the reader answers on ``answer``.
struct ElanCommand: Equatable {
  static let request = USBEndpoint.bulk(0x01)
  static let image = USBEndpoint.bulk(0x82)
  static let answer = USBEndpoint.bulk(0x83)

  let bytes: [UInt8]
  let answerLength: Int
  let purpose: String

  /// The firmware's version, big endian.
  static let firmware = ElanCommand([0x40, 0x19], 2, "the firmware's version")
  /// The sides of the sensor, as ``ElanGeometry`` reads them.
  static let sensorSize = ElanCommand([0x00, 0x0C], 4, "the size of the sensor")
  /// What ``ElanVariant/linearGray`` is asked at start; what it tells is not known.
  static let greeting = ElanCommand([0x40, 0x2A], 2, "the greeting")
  /// A frame, on ``image``.
  static let frame = ElanCommand([0x00, 0x09], 0, "a frame")
  /// The mean that a calibrated sensor has.
  static let calibrationMean = ElanCommand([0x40, 0x24], 2, "the mean brightness")
  /// Starts a calibration, and then tells how far it is.
  static let calibrationStatus = ElanCommand([0x40, 0x23], 1, "the state of the calibration")
  static let lightOn = ElanCommand([0x40, 0x31], 0, "the light")
  /// Waits for a finger: the answer comes when one lies on the sensor.
  static let waitForFinger = ElanCommand([0x40, 0x3F], 1, "the finger")
  /// Turns the light off and ends a wait; there is no answer.
  static let stop = ElanCommand([0x00, 0x0B], 0, "the end of the capture")

  private init(_ bytes: [UInt8], _ answerLength: Int, _ purpose: String) {
    (self.bytes, self.answerLength, self.purpose) = (bytes, answerLength, purpose)
  }
}

/// The answer to ``ElanCommand/waitForFinger``.
enum FingerAnswer {
  static let present: UInt8 = 0x55
}

/// The answers to ``ElanCommand/calibrationStatus``.
enum CalibrationAnswer {
  static let running: UInt8 = 0x01
  static let done: UInt8 = 0x03
}
