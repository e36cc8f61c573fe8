internal import AuthcoreABI

/// A grey image as the sensor gives it; the host turns it upright and makes its ridges dark.
public struct Frame: Equatable, Sendable {
  /// How the pixels lie, as the `AC_FRAME_…` flags.
  public struct Layout: OptionSet, Sendable {
    /// The bits of `ac_frame.flags`.
    public let rawValue: UInt32

    /// Wraps bits of `ac_frame.flags`.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// Ridges are bright.
    public static let inverted = Layout(rawValue: 1 << 0)
    /// Mirrored left to right.
    public static let flippedHorizontally = Layout(rawValue: 1 << 1)
    /// Upside down.
    public static let flippedVertically = Layout(rawValue: 1 << 2)
  }

  /// Pixels in a row, 1…4096.
  public let width: Int
  /// Rows, 1…4096.
  public let height: Int
  /// Pixels per inch, 100…2000.
  public let pixelsPerInch: Int
  /// How the pixels lie; empty: upright, ridges dark.
  public let layout: Layout
  /// `width * height` grey values, row by row, no padding.
  public let pixels: [UInt8]
  /// For each row of ``pixels``, the columns in which the sensor could see skin, maybe none: a window that is no rectangle,
  /// the margins of a swipe. A ridge that is cut off there does not end. nil where the driver does not know.
  public let extents: [Range<Int>]?

  /// Describes an image. What `sensor.h` refuses is refused here, as the device's fault.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` that names the figure out of range.
  public init(
    width: Int, height: Int, pixelsPerInch: Int, layout: Layout = [], pixels: [UInt8],
    extents: [Range<Int>]? = nil
  ) throws(SensorFailure) {
    let sides = 1...Int(AC_FRAME_MAX_SIDE)
    guard sides ~= width, sides ~= height else {
      throw SensorFailure(
        .protocolViolation,
        "The frame is \(width)x\(height); sides from 1 to \(sides.upperBound) pixels are possible")
    }
    guard Int(AC_FRAME_MIN_PPI)...Int(AC_FRAME_MAX_PPI) ~= pixelsPerInch else {
      throw SensorFailure(
        .protocolViolation,
        "The frame claims \(pixelsPerInch) ppi; \(AC_FRAME_MIN_PPI) to \(AC_FRAME_MAX_PPI) are possible"
      )
    }
    guard pixels.count == width * height else {
      throw SensorFailure(
        .protocolViolation,
        "The frame has \(pixels.count) pixels; \(width)x\(height) needs \(width * height)")
    }
    if let extents {
      guard extents.count == height else {
        throw SensorFailure(
          .protocolViolation,
          "The frame says of \(extents.count) rows where they end; it has \(height)")
      }
      if let row = extents.firstIndex(where: { $0.lowerBound < 0 || $0.upperBound > width }) {
        throw SensorFailure(
          .protocolViolation,
          "The frame's row \(row) is said to reach from column \(extents[row].lowerBound) to "
            + "\(extents[row].upperBound) of \(width)")
      }
    }
    self.extents = extents
    self.width = width
    self.height = height
    self.pixelsPerInch = pixelsPerInch
    self.layout = layout
    self.pixels = pixels
  }
}
