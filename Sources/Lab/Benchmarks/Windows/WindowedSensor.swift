import GrayImage

/// A sensor whose pictures show where it ends.
enum WindowedSensor: Sendable {
  case pad(PadShape)
  case swipe(SwipedPrint)

  /// One of every kind; the same seed gives the same ones.
  static func every(seed: UInt64) -> [WindowedSensor] {
    PadShape.every(seed: seed).map { .pad($0) } + SwipedPrint.every.map { .swipe($0) }
  }

  var name: String {
    switch self {
    case .pad(let shape): shape.name
    case .swipe(let swipe): swipe.name
    }
  }

  /// What it delivers of a picture that a sensor without borders would see.
  ///
  /// - Parameters:
  ///   - picture: The finger, dark ridges on a light ground.
  ///   - touch: Which touch it is; the same number gives the same picture.
  /// - Returns: The sensor's picture.
  /// - Throws: ``BenchmarkFailure`` for a picture that is too small for it.
  func picture(of picture: GrayImage, touch: UInt64) throws -> SensorPicture {
    switch self {
    case .pad(let shape): shape.laid(over: picture, touch: touch)
    case .swipe(let swipe): try swipe.drawn(picture, touch: touch)
    }
  }
}
