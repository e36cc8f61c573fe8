package import SensorKit

/// A message to the device: a header of eight bytes, then arguments.
///
/// | offset | bytes | meaning |
/// | --- | --- | --- |
/// | 0 | 1 | 0x80 |
/// | 1 | 1 | what is asked |
/// | 2 | 1 | a number, which the device repeats in its answer |
/// | 3 | 1 | 0 |
/// | 4 | 4 | bytes of the whole message, little-endian |
package struct NB1010Command: Sendable {
  /// What is asked.
  let code: UInt8
  /// What the device repeats. Any number would do. These are from the recorded traffic, so that a
  /// recording, which is compared byte by byte, can stand in for the device.
  let sequence: UInt8
  /// The code of the answer.
  let answerCode: UInt8
  private let arguments: [UInt8]

  /// Asks how much of a finger the sensor feels.
  package static let senseFinger = NB1010Command(
    code: 0x38, sequence: 1, answerCode: 0x37, arguments: [])
  /// Has to come once before an image. What it does is not known.
  package static let prepare = NB1010Command(
    code: 0x0D, sequence: 3, answerCode: 0x20, arguments: [0x00, 0x04, 0x00, 0x00])
  /// Asks for an image, which follows the answer.
  package static let sendImage = NB1010Command(
    code: 0x12, sequence: 4, answerCode: 0x20,
    arguments: [0x02, 0, 0, 0] + [UInt8](repeating: 0, count: 16) + [0x20, 0, 0, 0])

  /// The message as it goes to the device.
  var bytes: [UInt8] {
    // No command is longer than 255 bytes, so one byte holds the length.
    [0x80, code, sequence, 0, UInt8(8 + arguments.count), 0, 0, 0] + arguments
  }
}

package enum NB1010Finger {
  case up, down
}

/// The device's answer to a command: the same header, and eight bytes that mean something only for
/// the finger.
///
/// Decoding is separate from the transfers, so that tests and a fuzzer can give it any bytes. It
/// trusts nothing: every field is compared with what was asked.
package struct NB1010Answer: Equatable {
  /// Bytes of every answer.
  static let length = 16

  /// Above this there is a finger. Without one the device reports less, and with one far more (0xF7
  /// in the recording).
  private static let threshold: UInt8 = 0x30

  /// How much of a finger the sensor feels. Only in the answer to ``NB1010Command/senseFinger``.
  package let signal: UInt8

  package var finger: NB1010Finger { signal > Self.threshold ? .down : .up }

  /// - Throws: ``SensorFailure/Code/protocolViolation``, saying what is wrong.
  package init(_ bytes: [UInt8], to command: NB1010Command) throws(SensorFailure) {
    guard bytes.count == Self.length else {
      throw Self.mismatch(command, "\(bytes.count) bytes instead of \(Self.length)")
    }
    guard bytes[0] == 0x80, bytes[1] == command.answerCode else {
      throw Self.mismatch(
        command, "a message of another kind, \(bytes[0].hexadecimal) \(bytes[1].hexadecimal)")
    }
    guard bytes[2] == command.sequence else {
      throw Self.mismatch(command, "the answer to another command")
    }
    guard bytes[4..<8].elementsEqual([UInt8(Self.length), 0, 0, 0]) else {
      throw Self.mismatch(command, "a message that lies about its length")
    }
    signal = bytes[12]
  }

  private static func mismatch(_ command: NB1010Command, _ what: String) -> SensorFailure {
    SensorFailure(
      .protocolViolation,
      "The NB-1010-U answered command \(command.code.hexadecimal) with \(what): "
        + NB1010Sensor.wayOut)
  }
}

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

  package var isComplete: Bool { pixels.count == Self.width * Self.height }

  /// Adds the next message. Any other message is refused, because a picture with lines in the wrong
  /// place could look like another finger.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation``, saying what is wrong.
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

  /// A little-endian number of four bytes. It fits an Int, so the arithmetic here cannot overflow.
  private static func number(in message: [UInt8], at offset: Int) -> Int {
    message[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func mismatch(_ what: String) -> SensorFailure {
    SensorFailure(
      .protocolViolation, "The NB-1010-U sent an image with \(what): \(NB1010Sensor.wayOut)")
  }
}
