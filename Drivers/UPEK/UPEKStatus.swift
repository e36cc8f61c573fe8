package import SensorKit

/// What the device says of the finger while it waits for an image.
package enum UPEKStatus: Equatable, Sendable {
  case noFinger
  case fingerOn
  case fingerOff
  /// The finger has to stay on the sensor.
  case keepFinger
  /// The scan cannot be used.
  case spoilt(RetryReason)

  /// Reads the device's number; one that is not known is a scan that failed.
  package init(code: Int) {
    self =
      switch code {
      case 0x0C: .noFinger
      case 0x00: .fingerOn
      case 0x01: .fingerOff
      case 0x13: .keepFinger
      case 0x1E: .spoilt(.tooShort)
      // Moved too much to the side.
      case 0x1D: .spoilt(.center)
      default: .spoilt(.general)
      }
  }

  /// Why the person has to try again, nil where the device goes on by itself. On a swipe sensor a
  /// finger that left too soon has to be swiped anew; on an area sensor the device waits for it to
  /// lie longer.
  func retry(on sensor: UPEKSensorModel) -> RetryReason? {
    switch self {
    case .noFinger, .fingerOn, .fingerOff: nil
    case .keepFinger: sensor.isSwipe ? .tooShort : nil
    case .spoilt(let reason): reason
    }
  }
}
