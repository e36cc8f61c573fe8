/// What a frame says about itself, checked by the same rules for the driver that makes it, the host
/// that takes it and the kit that tries the driver (`ac_frame_t` in sensor.h).
public struct FrameShape: Equatable, Sendable {
  /// In pixels, up to `AC_FRAME_MAX_SIDE`.
  public static let sides = 1...AssemblyLimits.side
  /// In pixels per inch, `AC_FRAME_MIN_PPI` to `AC_FRAME_MAX_PPI`.
  public static let resolutions = 100...2000

  public let width: Int
  public let height: Int
  /// Pixels per inch.
  public let pixelsPerInch: Int
  public let layout: FrameLayout
  /// For each row of the pixels as they lie, the columns in which the sensor could see skin,
  /// possibly none: a window that is not a rectangle, the margins of a swipe. A ridge that is cut
  /// off there does not end. Nil if the driver does not know.
  public private(set) var extents: [Range<Int>]?

  /// Checks a frame whose `pixelCount` pixels come row by row without padding.
  ///
  /// - Throws: The first rule that it breaks.
  public init(
    width: Int, height: Int, pixelsPerInch: Int, layout: FrameLayout, pixelCount: Int
  ) throws(FrameFault) {
    guard Self.sides ~= width, Self.sides ~= height else {
      throw .sides(width: width, height: height)
    }
    guard Self.resolutions ~= pixelsPerInch else { throw .resolution(pixelsPerInch) }
    guard pixelCount == width * height else {
      throw .pixelCount(width: width, height: height, found: pixelCount)
    }
    guard layout.isSubset(of: .known) else { throw .flags(layout.rawValue) }
    self.width = width
    self.height = height
    self.pixelsPerInch = pixelsPerInch
    self.layout = layout
  }

  /// The same with extents. Looks at no extent if `count` is wrong.
  ///
  /// - `count`: How many rows have one.
  /// - `extent`: Of a row below `count`: the first column and the one after the last, in any order.
  public func showing(
    _ count: Int, _ extent: (Int) -> (first: Int, end: Int)
  ) throws(FrameFault) -> FrameShape {
    guard count == height else { throw .extentCount(count, rows: height) }
    var rows: [Range<Int>] = []
    rows.reserveCapacity(height)
    for row in 0..<height {
      let (first, end) = extent(row)
      guard 0 <= first, first <= end, end <= width else {
        throw .extent(row: row, first: first, end: end, width: width)
      }
      rows.append(first..<end)
    }
    var shape = self
    shape.extents = rows
    return shape
  }

  /// The extents after the pixels are turned upright.
  public var uprightExtents: [Range<Int>]? {
    extents.map { extents in
      let turned =
        layout.contains(.flippedHorizontally)
        ? extents.map { width - $0.upperBound..<width - $0.lowerBound } : extents
      return layout.contains(.flippedVertically) ? turned.reversed() : turned
    }
  }
}

/// The rule of `ac_frame_t` that a frame breaks.
public enum FrameFault: Error, Equatable, Sendable, CustomStringConvertible {
  case sides(width: Int, height: Int)
  case resolution(Int)
  case pixelCount(width: Int, height: Int, found: Int)
  case flags(UInt32)
  case extentCount(Int, rows: Int)
  /// An extent that ends before it begins, or that leaves the row.
  case extent(row: Int, first: Int, end: Int, width: Int)

  /// What the frame has instead, as the end of a sentence about it.
  public var description: String {
    switch self {
    case .sides(let width, let height):
      "it is \(width) × \(height) pixels; a side has 1 to \(FrameShape.sides.upperBound)"
    case .resolution(let pixelsPerInch):
      "it has \(pixelsPerInch) pixels per inch, not \(FrameShape.resolutions.lowerBound) to "
        + "\(FrameShape.resolutions.upperBound)"
    case .pixelCount(let width, let height, let found):
      "\(width) × \(height) pixels are \(width * height); it says that it has \(found)"
    case .flags(let flags): "its flags are \(flags); only those of AC_FRAME_… are known"
    case .extentCount(let count, let rows):
      "it has \(UInt(bitPattern: count)) row extents for \(rows) rows"
    case .extent(let row, let first, let end, let width):
      "the extent of row \(row) goes from column \(first) to \(end) of \(width)"
    }
  }
}

/// How the pixels of a frame lie: the bits of `ac_frame.flags`. Empty: upright, ridges dark.
public struct FrameLayout: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Ridges are bright.
  public static let inverted = FrameLayout(rawValue: 1 << 0)
  /// Mirrored left to right.
  public static let flippedHorizontally = FrameLayout(rawValue: 1 << 1)
  /// Upside down.
  public static let flippedVertically = FrameLayout(rawValue: 1 << 2)

  static let known: FrameLayout = [.inverted, .flippedHorizontally, .flippedVertically]

  /// Writes whole rows of `width` pixels, at least 1, upright with dark ridges into as much room.
  public func turn(_ pixels: Span<UInt8>, width: Int, into upright: inout MutableSpan<UInt8>) {
    let rows = pixels.count / width
    let mask: UInt8 = contains(.inverted) ? 0xff : 0
    for row in 0..<rows {
      let source = (contains(.flippedVertically) ? rows - 1 - row : row) * width
      let target = row * width
      if contains(.flippedHorizontally) {
        for column in 0..<width {
          upright[target + column] = pixels[source + width - 1 - column] ^ mask
        }
      } else {
        for column in 0..<width { upright[target + column] = pixels[source + column] ^ mask }
      }
    }
  }

  /// An image of rows of `width` pixels as a person would look at it.
  ///
  /// - Throws: ``AssemblyError`` unless the pixels are whole rows.
  public func applied(to pixels: [UInt8], width: Int) throws(AssemblyError) -> [UInt8] {
    try AssemblyError.check("width of the image", width, in: 1...AssemblyLimits.side)
    guard pixels.count.isMultiple(of: width) else {
      throw .pixelCount(expected: pixels.count / width * width, found: pixels.count)
    }
    var result = [UInt8](repeating: 0, count: pixels.count)
    var span = result.mutableSpan
    turn(pixels.span, width: width, into: &span)
    return result
  }
}
