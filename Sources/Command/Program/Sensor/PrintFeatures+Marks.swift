import FingerprintMatching
import Glibc

extension PrintFeatures {
  /// A minutia in a picture: where it lies, and the way along the ridges to the side with one ridge
  /// more.
  struct Mark: Equatable {
    let x: Int
    let y: Int
    /// A step of one pixel in its direction, in both axes.
    let step: (x: Double, y: Double)

    static func == (left: Mark, right: Mark) -> Bool {
      left.x == right.x && left.y == right.y && left.step == right.step
    }
  }

  /// The minutiae in pixels of a picture with so many to the inch; features are at 500.
  func marks(at pixelsPerInch: UInt32) -> [Mark] {
    let scale = Double(pixelsPerInch) / 500
    return minutiae.map { minutia in
      Mark(
        x: Int((Double(minutia.x) * scale).rounded()),
        y: Int((Double(minutia.y) * scale).rounded()),
        step: (cos(Double(minutia.direction)), sin(Double(minutia.direction))))
    }
  }
}
