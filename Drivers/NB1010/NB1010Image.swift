package import SensorKit

/// The image as it comes in: 90 messages of two lines each.
///
/// | offset | bytes | meaning |
/// | --- | --- | --- |
/// | 0 | 8 | header: code 0x21, length 540 |
/// | 12 | 4 | 1 while there is more, 0 in the last message |
/// | 16 | 4 | the index of the second line: 1, 3 … 179 |
/// | 20 | 4 | pixels in a line |
/// | 25 | 512 | the pixels, dark ridges on a light ground, upright |
package struct NB1010Image {
  /// Pixels in a line.
  package static let width = 256
  /// Lines.
  package static let height = 180
  /// Bytes of a message.
  package static let messageLength = 540
  /// Messages of an image.
  package static let messageCount = height / linesPerMessage

  private static let linesPerMessage = 2
  private static let pixelsStart = 25

  /// The lines so far, row by row.
  package private(set) var pixels: [UInt8] = []

  package init() {
    pixels.reserveCapacity(Self.width * Self.height)
  }

  /// Whether all lines are there.
  package var isComplete: Bool { pixels.count == Self.width * Self.height }

  /// Takes the next message. A message that is not the next is refused: a picture with lines in the
  /// wrong place could look like another finger.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation``, saying what does not fit.
  package mutating func append(_ message: [UInt8]) throws(SensorFailure) {
    guard !isComplete else { throw Self.mismatch("more than \(Self.height) lines") }
    guard message.count == Self.messageLength else {
      throw Self.mismatch("a part of \(message.count) bytes instead of \(Self.messageLength)")
    }
    guard message[0] == 0x80, message[1] == 0x21,
      Self.number(in: message, at: 4) == Self.messageLength
    else { throw Self.mismatch("a part that is none") }
    guard Self.number(in: message, at: 20) == Self.width else {
      throw Self.mismatch("lines of \(Self.number(in: message, at: 20)) pixels")
    }
    let lastLine = pixels.count / Self.width + Self.linesPerMessage - 1
    guard Self.number(in: message, at: 16) == lastLine else {
      throw Self.mismatch(
        "line \(Self.number(in: message, at: 16)) where line \(lastLine) was due")
    }
    let isLast = lastLine == Self.height - 1
    guard Self.number(in: message, at: 12) == (isLast ? 0 : 1) else {
      throw Self.mismatch("an end that is not at line \(Self.height - 1)")
    }
    let end = Self.pixelsStart + Self.linesPerMessage * Self.width
    pixels += message[Self.pixelsStart..<end]
  }

  /// A little-endian number of four bytes. An Int holds all of them, so no arithmetic on it here
  /// can overflow.
  private static func number(in message: [UInt8], at offset: Int) -> Int {
    message[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func mismatch(_ what: String) -> SensorFailure {
    SensorFailure(
      .protocolViolation, "The NB-1010-U sent an image with \(what): \(NB1010Sensor.wayOut)")
  }
}
