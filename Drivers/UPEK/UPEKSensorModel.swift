package import SensorKit

/// The sensor behind the chip.
package struct UPEKSensorModel: Equatable, Sendable {
  /// The maker's name, `TCS4`.
  package let name: String
  /// Whether the finger is drawn over it, rather than put on it.
  package let isSwipe: Bool
  /// Of the image it delivers: three quarters of the sensor's own pixels.
  package let width: Int
  package let height: Int

  /// What a device calls its sensor's size, in the sensor's own pixels.
  private static let names: [(width: Int, height: Int, name: String)] = [
    (256, 360, "TCS1"), (208, 288, "TCS2"), (248, 360, "TCS3"), (192, 512, "TCS4"),
    (144, 512, "TCS5"),
  ]

  /// Tells the sensor by its size.
  ///
  /// - Throws: ``SensorFailure/Code/unsupported``.
  package init(width: Int, height: Int, isSwipe: Bool) throws(SensorFailure) {
    guard let known = Self.names.first(where: { $0.width == width && $0.height == height }) else {
      throw SensorFailure(
        .unsupported,
        "The UPEK reader has a sensor of \(width)x\(height) pixels, which this driver does not know"
      )
    }
    name = known.name
    self.isSwipe = isSwipe
    self.width = width * 3 / 4
    self.height = height * 3 / 4
  }
}
