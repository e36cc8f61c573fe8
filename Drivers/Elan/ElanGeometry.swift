package import SensorKit

/// The size of a sensor, and where in a frame its pixels lie.
package struct ElanGeometry: Equatable, Sendable {
  /// Pixels in a row, at right angles to the swipe.
  package let width: Int
  /// Rows the sensor has.
  package let sensorHeight: Int
  /// Rows that are used of each frame, from the middle.
  package let height: Int
  private let isRowByRow: Bool

  /// The most rows that are used; as many as libfprint uses.
  private static let usedRows = 50
  /// Sensors of 144x64 and 96x96 are known; the answer has a byte for each side.
  private static let sides = 16...256

  /// Reads the answer to `00 0c`, four bytes with the sides at 0 and 2; `product` tells which is
  /// which.
  ///
  /// - Throws: ``SensorFailure/Code/unsupported`` for another product,
  ///   ``SensorFailure/Code/protocolViolation`` when no sensor has such a size.
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
    // Some readers tell the last index of each side.
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

  /// Columns of a swipe's image: room for a finger that drifts to the side.
  package var imageWidth: Int { width * 3 / 2 }

  /// Bytes of a frame: two for each pixel.
  package var frameLength: Int { width * sensorHeight * 2 }

  /// Cuts the used rows out of a frame, and turns them into rows.
  ///
  /// - Returns: `width * height` values of 14 bits.
  /// - Throws: ``SensorFailure/Code/protocolViolation`` when the frame has another length or a
  ///   value more bits.
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
