/// The part of an image that is worked on, at 500 pixels per inch.
///
/// Every later step counts in pixels of 1/500 inch, so its constants hold on every sensor. At most
/// ``maximumSide`` pixels a side are kept (52 mm, more than any fingertip), the window with the
/// most contrast: this bounds time and memory whatever image comes. The gray levels of an image
/// that needs no resampling are used where they lie.
struct WorkingImage: Sendable {
  static let pixelsPerInch = 500
  static let maximumSide = 1024

  let width: Int
  let height: Int
  /// Gray levels, those that are worked on among them.
  let levels: [UInt8]
  /// Where in ``levels`` the first row starts.
  private let origin: Int
  /// Gray levels from one row to the next.
  private let stride: Int
  /// For each row the columns that the driver says show skin; nil where it does not say.
  private let extents: [Range<Int>]?

  init(_ image: FingerprintImage) {
    let scale = Double(image.pixelsPerInch) / Double(Self.pixelsPerInch)
    let window = ContrastWindow(of: image, side: Int(Double(Self.maximumSide) * scale))
    extents = image.extents.map { Self.extents($0, in: window, scale: scale) }
    if image.pixelsPerInch == Self.pixelsPerInch {
      (width, height) = (window.columns.count, window.rows.count)
      levels = image.pixels
      stride = image.width
      origin = window.rows.lowerBound * image.width + window.columns.lowerBound
    } else {
      let across = Resampling(source: window.columns, scale: scale, limit: Self.maximumSide)
      let down = Resampling(source: window.rows, scale: scale, limit: Self.maximumSide)
      (width, height) = (across.count, down.count)
      levels = Resampling.levels(of: image, columns: window.columns, across: across, down: down)
      stride = across.count
      origin = 0
    }
  }

  /// Where in ``levels`` row `y` starts.
  func row(_ y: Int) -> Int { origin + y * stride }

  /// Extents in pixels of the working image; a pixel that is made of any beyond them is beyond too.
  private static func extents(
    _ extents: [Range<Int>], in window: ContrastWindow, scale: Double
  ) -> [Range<Int>] {
    let rows = min(maximumSide, max(1, Int((Double(window.rows.count) / scale).rounded())))
    let reach = scale == 1 ? 0 : max(1, scale)
    return (0..<rows).map { row in
      let middle = (Double(row) + 0.5) * scale - 0.5
      let first = max(Int((middle - reach).rounded(.up)), 0)
      let last = min(Int((middle + reach).rounded(.down)), window.rows.count - 1)
      let all = extents[window.rows.lowerBound + first...window.rows.lowerBound + last]
      let left = all.map(\.lowerBound).max() ?? 0
      let right = all.map(\.upperBound).min() ?? 0
      let (from, to) = (left - window.columns.lowerBound, right - window.columns.lowerBound)
      let start = ((Double(from) + reach + 0.5) / scale - 0.5).rounded(.up)
      let end = ((Double(to) - reach - 0.5) / scale - 0.5).rounded(.down) + 1
      // At the edge of the image pixels are made of fewer, all of them inside.
      let lower = from <= 0 ? 0 : min(Int(start), maximumSide)
      let upper = to >= window.columns.count ? maximumSide : min(Int(end), maximumSide)
      return lower..<max(lower, upper)
    }
  }

  /// Whether the driver says what shows skin.
  var hasExtents: Bool { extents != nil }

  /// Whether the two by two pixels from (x, y) on show skin, by what the driver says.
  func shows(_ x: Int, _ y: Int) -> Bool {
    guard let extents else { return true }
    let columns = x...min(x + 1, width - 1)
    return [y, min(y + 1, height - 1)].allSatisfy {
      extents[$0].contains(columns.lowerBound) && extents[$0].contains(columns.upperBound)
    }
  }

  /// The image as a plane of its own, for looking at.
  var plane: Plane {
    var plane = Plane(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { plane[x, y] = Float(levels[row(y) + x]) }
    }
    return plane
  }
}
