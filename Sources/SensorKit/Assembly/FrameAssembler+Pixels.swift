internal import AuthcoreABI

extension FrameAssembler {
  /// Enlarges a picture 1...8 times by bilinear interpolation, bit by bit as the pixman library does for 8-bit images;
  /// the outside counts as 0.
  public func enlarge(_ pixels: [UInt8], width: Int, height: Int, factor: Int)
    throws(SensorFailure) -> [UInt8]
  {
    try check(pixels, width, height)
    guard 1...8 ~= factor else {
      throw SensorFailure(.argument, "Enlarging \(factor) times is not possible; 1 to 8 are")
    }
    let count = factor * factor * pixels.count
    return try unsafe fill("Enlarging \(width)x\(height) pixels", count: count) { table, result in
      unsafe table.enlarge(
        pixels, unsigned(width), unsigned(height), unsigned(factor), result, count)
    }
  }

  /// Resizes a picture; each pixel is the mean of the box of pixels that falls onto it.
  public func resize(
    _ pixels: [UInt8], width: Int, height: Int, newWidth: Int, newHeight: Int
  ) throws(SensorFailure) -> [UInt8] {
    try check(pixels, width, height)
    let (count, isTooLarge) = newWidth.multipliedReportingOverflow(by: newHeight)
    return try unsafe fill("Resizing \(width)x\(height) pixels", count: isTooLarge ? 0 : count) {
      table, result in
      unsafe table.resize(
        pixels, unsigned(width), unsigned(height), unsigned(newWidth), unsigned(newHeight), result,
        count)
    }
  }

  /// Turns a picture upright as the host turns frames. A driver needs it only to look at its picture itself.
  public func orient(_ pixels: [UInt8], width: Int, height: Int, layout: Frame.Layout)
    throws(SensorFailure) -> [UInt8]
  {
    try check(pixels, width, height)
    return try unsafe fill("Turning \(width)x\(height) pixels", count: pixels.count) {
      table, result in
      unsafe table.orient(
        pixels, unsigned(width), unsigned(height), layout.rawValue, result, pixels.count)
    }
  }

  /// `pixels` minus `background`, 0 where the background is brighter.
  public func subtract(background: [UInt16], from pixels: [UInt16]) throws(SensorFailure)
    -> [UInt16]
  {
    guard pixels.count == background.count else {
      throw SensorFailure(
        .argument, "A background of \(background.count) pixels does not fit \(pixels.count)")
    }
    return try unsafe fill("Subtracting the background", count: pixels.count) { table, result in
      unsafe table.subtract_background(pixels, background, pixels.count, result, pixels.count)
    }
  }

  /// Stretches from the darkest pixel, which becomes 0, to the brightest, which becomes 255; all 0 when they are alike.
  public func normalise(_ pixels: [UInt16]) throws(SensorFailure) -> [UInt8] {
    try unsafe fill("Stretching grey", count: pixels.count) { table, result in
      unsafe table.normalise(pixels, pixels.count, result, pixels.count)
    }
  }

  /// The mean square of the distance from the mean, both rounded down.
  public func variance(_ pixels: [UInt8]) throws(SensorFailure) -> Int {
    var variance: UInt32 = 0
    let status = unsafe table.pointee.variance(pixels, pixels.count, &variance)
    try check(status, "Taking the variance")
    return Int(variance)
  }

  /// The mean square of the difference, rounded down.
  public func meanSquaredDifference(_ pixels: [UInt8], _ others: [UInt8]) throws(SensorFailure)
    -> Int
  {
    guard pixels.count == others.count else {
      throw SensorFailure(
        .argument, "\(pixels.count) and \(others.count) pixels cannot be compared")
    }
    var difference: UInt32 = 0
    let status = unsafe table.pointee.mean_squared_difference(
      pixels, others, pixels.count, &difference)
    try check(status, "Comparing pixels")
    return Int(difference)
  }

  private func check(_ pixels: [UInt8], _ width: Int, _ height: Int) throws(SensorFailure) {
    let (count, isTooLarge) = width.multipliedReportingOverflow(by: height)
    guard !isTooLarge, width > 0, height > 0, pixels.count == count else {
      throw SensorFailure(
        .argument, "\(pixels.count) pixels are no picture of \(width)x\(height)")
    }
  }
}
