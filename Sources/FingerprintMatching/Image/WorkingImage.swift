/// The part of an image that is worked on, at 500 pixels per inch.
///
/// Every later step counts in pixels of 1/500 inch, so its constants hold on every sensor. At most
/// ``maximumSide`` pixels a side are kept (52 mm, more than any fingertip), the window with the
/// most contrast: this bounds time and memory whatever image comes. The grey levels of an image
/// that needs no resampling are used where they lie.
struct WorkingImage: Sendable {
  static let pixelsPerInch = 500
  static let maximumSide = 1024

  let width: Int
  let height: Int
  /// Grey levels, those that are worked on among them.
  let levels: [UInt8]
  /// Where in ``levels`` the first row starts.
  private let origin: Int
  /// Grey levels from one row to the next.
  private let stride: Int

  init(_ image: FingerprintImage) {
    let scale = Double(image.pixelsPerInch) / Double(Self.pixelsPerInch)
    let window = ContrastWindow(of: image, side: Int(Double(Self.maximumSide) * scale))
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

  /// The image as a plane of its own, for looking at.
  var plane: Plane {
    var plane = Plane(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { plane[x, y] = Float(levels[row(y) + x]) }
    }
    return plane
  }
}
