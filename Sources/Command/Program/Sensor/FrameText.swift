import CoreClient
import FingerprintMatching
import Protocol

/// A frame as a picture of characters, with its minutiae.
enum FrameText {
  /// The largest picture.
  private static let most = Display.Size(columns: 64, rows: 64)
  /// Rows that are left for the text below a picture.
  private static let spareRows = 4

  /// The largest picture that fits, and a line about it.
  static func lines(
    _ frame: SensorFrame, _ features: PrintFeatures, on display: Display, _ number: Int
  ) -> [String] {
    let paint = display.paint
    var room = most
    if display.isLive {
      room.columns = min(room.columns, display.size.columns - 1)
      room.rows = max(8, min(room.rows, display.size.rows - spareRows))
    }
    let quality =
      features.hasRidges
      ? "quality \(Bar.percent(features.quality)), "
        + (features.minutiae.count == 1 ? "1 minutia" : "\(features.minutiae.count) minutiae")
      : paint("no ridges", .doubtful)
    return picture(frame, features, paint, within: room) + [
      "touch \(number): \(frame.width) × \(frame.height) px, \(frame.pixelsPerInch) ppi, " + quality
    ] + (display.isLive ? [] : [""])
  }

  static func json(_ frame: SensorFrame, _ features: PrintFeatures) -> JSONValue {
    .object([
      "width": .count(frame.width), "height": .count(frame.height),
      "ppi": .count(frame.pixelsPerInch), "ridges": .bool(features.hasRidges),
      "quality": .rounded(features.quality, decimals: 3),
      "minutiae": .integer(Int64(features.minutiae.count)),
    ])
  }

  /// A character shows two pixels, one above the other: `▀` in the upper color on the lower,
  /// minutiae in red. Without colors there are four shades, and `o` for a minutia.
  private static func picture(
    _ frame: SensorFrame, _ features: PrintFeatures, _ paint: Paint, within room: Display.Size
  ) -> [String] {
    let step = max(
      1, (Int(frame.width) + room.columns - 1) / room.columns,
      (Int(frame.height) + 2 * room.rows - 1) / (2 * room.rows))
    let width = (Int(frame.width) + step - 1) / step
    let height = (Int(frame.height) + step - 1) / step
    let marks = Set(
      features.marks(at: frame.pixelsPerInch).map { Cell(x: $0.x / step, y: $0.y / step) })
    var lines: [String] = []
    for row in stride(from: 0, to: height, by: 2) {
      var line = ""
      for column in 0..<width {
        let upper = mean(frame, column * step, row * step, step)
        let lower = row + 1 < height ? mean(frame, column * step, (row + 1) * step, step) : 255
        let isMarked = (
          upper: marks.contains(Cell(x: column, y: row)),
          lower: marks.contains(Cell(x: column, y: row + 1))
        )
        if paint.isOn {
          line += "\u{1B}[38;2;" + color(upper, isMarked.upper)
          line += ";48;2;" + color(lower, isMarked.lower) + "m▀"
        } else {
          line += isMarked.upper || isMarked.lower ? "o" : shade((upper + lower) / 2)
        }
      }
      lines.append(paint.isOn ? line + "\u{1B}[0m" : line)
    }
    return lines
  }

  private struct Cell: Hashable {
    let x: Int
    let y: Int
  }

  /// A 24-bit color as terminals take it.
  private static func color(_ gray: Int, _ isMarked: Bool) -> String {
    isMarked ? "255;40;40" : "\(gray);\(gray);\(gray)"
  }

  private static func shade(_ value: Int) -> String {
    [" ", "░", "▒", "▓", "█"][(255 - value) * 4 / 255]
  }

  private static func mean(_ frame: SensorFrame, _ x: Int, _ y: Int, _ step: Int) -> Int {
    var sum = 0
    var count = 0
    for row in y..<min(y + step, Int(frame.height)) {
      for column in x..<min(x + step, Int(frame.width)) {
        sum += Int(frame.pixels[row * Int(frame.width) + column])
        count += 1
      }
    }
    return count > 0 ? sum / count : 255
  }
}

/// The size of a sensor's pictures, as its driver says. 0 means that it varies.
struct PictureSize {
  let width: UInt32
  let height: UInt32
  let pixelsPerInch: UInt32

  /// `96 × 112 px at 500 ppi`, `160 px wide, any height, at 500 ppi`.
  var text: String {
    let isVariable = width == 0 || height == 0
    let size =
      switch (width, height) {
      case (0, 0): "any size"
      case (_, 0): "\(width) px wide, any height"
      case (0, _): "any width, \(height) px high"
      default: "\(width) × \(height) px"
      }
    guard pixelsPerInch > 0 else { return size + ", any resolution" }
    return size + (isVariable ? ", " : " ") + "at \(pixelsPerInch) ppi"
  }
}
