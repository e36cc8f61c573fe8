package import SensorKit

/// How a reader differs from the others of the family.
enum ElanVariant: Equatable, CaseIterable {
  case standard
  /// Wants one more command at the start, and its frames are mapped to gray linearly.
  case linearGray
  /// Sends frames row by row; the others send them column by column.
  case rowByRow
  /// Answers with two bytes instead of one, and is calibrated by a rule of its own.
  case wideAnswers

  static let vendor: UInt16 = 0x04F3

  /// Product numbers by variant. elanmoc (match on chip) and elanspi are different families.
  static let products: [(variant: ElanVariant, ranges: [ClosedRange<UInt16>])] = [
    (
      .standard,
      [
        0x0903...0x0903, 0x0C01...0x0C02, 0x0C04...0x0C33, 0x0C3D...0x0C3D, 0x0C4B...0x0C4B,
        0x0C4D...0x0C4D, 0x0C4F...0x0C4F, 0x0C58...0x0C58, 0x0C63...0x0C63, 0x0C6E...0x0C6E,
      ]
    ),
    (.linearGray, [0x0907...0x0907]),
    (.rowByRow, [0x0C03...0x0C03]),
    (.wideAnswers, [0x0C42...0x0C42]),
  ]

  /// Returns nil for a product of another family.
  init?(product: UInt16) {
    let found = Self.products.first { entry in entry.ranges.contains { $0.contains(product) } }
    guard let found else { return nil }
    self = found.variant
  }
}

/// The size of a sensor, and the order of the pixels in a frame.
package struct ElanGeometry: Equatable, Sendable {
  /// Pixels in a row, at right angles to the swipe.
  package let width: Int
  /// Rows of the sensor.
  package let sensorHeight: Int
  /// Rows from the middle of each frame that are used.
  package let height: Int
  private let isRowByRow: Bool

  /// The most rows that are used, as in libfprint.
  private static let usedRows = 50
  /// Sensors of 144x64 and 96x96 are known. The answer has a byte for each side.
  private static let sides = 16...256

  /// Reads the answer to `00 0c`: four bytes, of which 0 and 2 are the sides. `product` says which
  /// is which.
  ///
  /// - Throws: ``SensorFailure/Code/unsupported`` for another product,
  ///   ``SensorFailure/Code/protocolViolation`` if no sensor has such a size.
  package init(answer: [UInt8], product: UInt16) throws(SensorFailure) {
    guard let variant = ElanVariant(product: product) else {
      throw ElanSensor.unknown(product)
    }
    try self.init(answer: answer, variant: variant)
  }

  init(answer: [UInt8], variant: ElanVariant) throws(SensorFailure) {
    guard answer.count == 4 else {
      throw SensorFailure(
        .protocolViolation,
        "The reader tells its size in \(answer.count) bytes, not 4; unplug it and plug it in again")
    }
    isRowByRow = variant == .rowByRow
    var (width, height) = (Int(answer[2]), Int(answer[0]))
    if isRowByRow { swap(&width, &height) }
    // Some readers give the last index of each side.
    if width % 2 == 1 && height % 2 == 1 {
      width += 1
      height += 1
    }
    guard Self.sides ~= width, Self.sides ~= height else {
      throw SensorFailure(
        .protocolViolation,
        "The reader claims a sensor of \(width)x\(height) pixels; sides from \(Self.sides.lowerBound) to "
          + "\(Self.sides.upperBound) are possible. Unplug it and plug it in again")
    }
    self.width = width
    sensorHeight = height
    self.height = min(height, Self.usedRows)
  }

  /// Columns of a swipe's image, with room for a finger that drifts to the side.
  package var imageWidth: Int { width * 3 / 2 }

  /// Bytes of a frame: two for each pixel.
  package var frameLength: Int { width * sensorHeight * 2 }

  /// The used part of a frame, row by row.
  ///
  /// - Returns: `width * height` values of 14 bits.
  /// - Throws: ``SensorFailure/Code/protocolViolation`` if the frame has another length, or a value
  ///   more bits.
  package func pixels(of frame: [UInt8]) throws(SensorFailure) -> [UInt16] {
    guard frame.count == frameLength else {
      throw SensorFailure(
        .protocolViolation,
        "A frame of the reader has \(frame.count) bytes, not \(frameLength); unplug it and plug it in again"
      )
    }
    let margin = (sensorHeight - height) / 2
    let (column, row) = isRowByRow ? (1, width) : (sensorHeight, 1)
    var pixels: [UInt16] = []
    pixels.reserveCapacity(width * height)
    var allBits: UInt16 = 0
    for y in 0..<height {
      for x in 0..<width {
        let index = 2 * (x * column + (margin + y) * row)
        let value = UInt16(frame[index]) | UInt16(frame[index + 1]) << 8
        allBits |= value
        pixels.append(value)
      }
    }
    guard allBits < 1 << 14 else {
      throw SensorFailure(
        .protocolViolation,
        "A frame of the reader has pixels of more than 14 bits; unplug it and plug it in again")
    }
    return pixels
  }
}

/// Maps the 14-bit pixels of a frame to 8 bits.
package enum ElanGray: Sendable {
  /// In proportion, from the darkest to the brightest pixel.
  case linear
  /// The darkest 30 % of the pixels get 99 gray values, the next 35 % get 56, and the brightest 35
  /// % the rest, each in proportion, so that lightly pressed skin keeps its contrast.
  case threeRanges

  package func mapped(_ pixels: [UInt16]) -> [UInt8] {
    guard let darkest = pixels.min(), let brightest = pixels.max() else { return [] }
    switch self {
    case .linear:
      return pixels.map { Self.scaled($0, darkest, brightest, onto: 0, 255) }
    case .threeRanges:
      let sorted = pixels.sorted()
      let low = sorted[sorted.count * 3 / 10]
      let high = sorted[sorted.count * 65 / 100]
      return pixels.map { pixel in
        if pixel < low {
          Self.scaled(pixel, darkest, low, onto: 0, 99)
        } else if pixel < high {
          Self.scaled(pixel, low, high, onto: 99, 56)
        } else {
          // If all bright pixels are alike, they become white.
          high == brightest ? 255 : Self.scaled(pixel, high, brightest, onto: 155, 100)
        }
      }
    }
  }

  /// Maps `first...last` to the `range` of values above `start`, rounded down.
  private static func scaled(
    _ pixel: UInt16, _ first: UInt16, _ last: UInt16, onto start: Int, _ range: Int
  ) -> UInt8 {
    guard last > first else { return UInt8(start) }
    return UInt8(start + Int(pixel - first) * range / Int(last - first))
  }
}
