public import FrameAssembly

/// A gray image as the sensor gives it. The host turns it upright and makes its ridges dark.
public struct Frame: Equatable, Sendable {
  /// Its sides and resolution, how its pixels lie, and where skin can be seen.
  public let shape: FrameShape
  /// `width * height` gray values, row by row, no padding.
  public let pixels: [UInt8]

  /// Describes an image, and checks it as `sensor.h` demands.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation``, naming the figure out of range.
  public init(
    width: Int, height: Int, pixelsPerInch: Int, layout: FrameLayout = [], pixels: [UInt8],
    extents: [Range<Int>]? = nil
  ) throws(SensorFailure) {
    do throws(FrameFault) {
      let shape = try FrameShape(
        width: width, height: height, pixelsPerInch: pixelsPerInch, layout: layout,
        pixelCount: pixels.count)
      self.shape =
        if let extents {
          try shape.showing(extents.count) { (extents[$0].lowerBound, extents[$0].upperBound) }
        } else {
          shape
        }
    } catch {
      throw SensorFailure(.protocolViolation, "The reader gave no proper frame: \(error)")
    }
    self.pixels = pixels
  }

  /// The image of a swipe. `layout` is how its stripes or lines lie. The flips that make both
  /// directions of a swipe come out alike are added to it.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation``, naming the figure out of range.
  public init(_ swipe: SwipeImage, pixelsPerInch: Int, layout: FrameLayout) throws(SensorFailure) {
    try self.init(
      width: swipe.width, height: swipe.height, pixelsPerInch: pixelsPerInch,
      layout: swipe.layout.union(layout), pixels: swipe.pixels, extents: swipe.extents)
  }
}

/// The result of a touch. A device that fails throws a ``SensorFailure`` instead.
public enum CaptureOutcome: Equatable, Sendable {
  case frame(Frame)
  /// The person has to try again.
  case retry(RetryReason)
}

/// Why the person has to try again, as the `AC_RETRY_…` values of `common.h`.
public enum RetryReason: Int32, CaseIterable, Sendable {
  /// The touch could not be read, and no better reason is known.
  case general = 1
  /// Ridges are broken: press a little harder or moisten the finger.
  case tooDry = 2
  /// Ridges run together: dry the finger.
  case tooWet = 3
  /// The swipe ended early, or the finger was lifted too soon.
  case tooShort = 4
  /// The swipe was faster than the sensor reads.
  case tooFast = 5
  /// The swipe was slower than the sensor reads.
  case tooSlow = 6
  /// The finger is not on the middle of the sensor.
  case center = 7
  /// The finger has to be lifted first.
  case lift = 8
  /// The finger is, or moves, at too steep an angle.
  case tooSkewed = 9

  /// What the person should do about a swipe that clearly went wrong, or nil if it was good.
  public init?(_ verdict: SwipeReport.Verdict) {
    switch verdict {
    case .good: return nil
    case .tooFast: self = .tooFast
    case .tooSlow: self = .tooSlow
    case .tooShort: self = .tooShort
    case .tooSkewed: self = .tooSkewed
    }
  }
}
