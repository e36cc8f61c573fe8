import Wire

/// What a driver says about a frame, and how its pixels become a message: upright, ridges dark. Pure.
struct FrameHeader: Equatable, Sendable {
  /// The columns of a row as a driver states them (`ac_row_extent_t`); not a range before it was looked at.
  struct RowExtent: Equatable, Sendable {
    let first: UInt16
    let end: UInt16
  }

  let width: UInt32
  let height: UInt32
  let pixelsPerInch: UInt32
  /// `AC_FRAME_…`
  let flags: UInt32
  /// For each row, as the driver has the rows; nil where it does not say.
  var extents: [RowExtent]?

  private var isInverted: Bool { flags & 1 != 0 }
  private var isMirrored: Bool { flags & 2 != 0 }
  private var isUpsideDown: Bool { flags & 4 != 0 }

  /// Why the frame is not taken, or nil. What it says of its extents is looked at apart.
  func objection(pixelCount: Int) -> String? {
    let limit = SensorFrame.maximumSide
    guard 1...limit ~= width, 1...limit ~= height else {
      return "it is \(width) by \(height) pixels; a side has 1 to \(limit)"
    }
    guard 100...2000 ~= pixelsPerInch else {
      return "its resolution is \(pixelsPerInch) pixels per inch, not 100 to 2000"
    }
    guard pixelCount == Int(width) * Int(height) else {
      return "\(width) by \(height) pixels are \(Int(width) * Int(height)); it has \(pixelCount)"
    }
    guard flags & ~7 == 0 else { return "its flags are \(flags)" }
    return nil
  }

  /// Why as many extents as this are not even read, or nil.
  func objection(extentCount: Int) -> String? {
    extentCount == Int(height)
      ? nil : "it has \(UInt(bitPattern: extentCount)) row extents for \(height) rows"
  }

  /// Why the extents are not taken, or nil.
  var objectionToExtents: String? {
    for (row, extent) in (extents ?? []).enumerated() {
      guard extent.first <= extent.end else {
        return "the extent of row \(row) ends at \(extent.end), before its first column, "
          + "\(extent.first)"
      }
      guard extent.end <= width else {
        return "the extent of row \(row) ends at column \(extent.end) of \(width)"
      }
    }
    return nil
  }

  /// The whole message for the frame socket. There must be no objection.
  func message(session: UInt64, pixels: Span<UInt8>) -> SecretBytes {
    SensorFrame(
      session: session, width: width, height: height, pixelsPerInch: pixelsPerInch,
      extents: uprightExtents, pixels: []
    ).encoded(with: upright(pixels))
  }

  /// The extents as they lie once the pixels are ``upright(_:)``.
  var uprightExtents: [Range<Int>]? {
    extents.map { extents in
      let turned = extents.map { extent in
        isMirrored
          ? Int(width) - Int(extent.end)..<Int(width) - Int(extent.first)
          : Int(extent.first)..<Int(extent.end)
      }
      return isUpsideDown ? turned.reversed() : turned
    }
  }

  /// The pixels as a person would look at them.
  func upright(_ pixels: Span<UInt8>) -> SecretBytes {
    let columns = Int(width)
    let rows = Int(height)
    let mask: UInt8 = isInverted ? 0xff : 0
    var result = SecretBytes(count: pixels.count)
    unsafe result.withUnsafeMutableBytes { target in
      for row in 0..<rows {
        let source = (isUpsideDown ? rows - 1 - row : row) * columns
        for column in 0..<columns {
          let from = source + (isMirrored ? columns - 1 - column : column)
          unsafe target[row * columns + column] = pixels[from] ^ mask
        }
      }
    }
    return result
  }
}
