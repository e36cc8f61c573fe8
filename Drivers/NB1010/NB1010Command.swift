/// A message to the device: a header of eight bytes, then arguments.
///
/// | offset | bytes | meaning |
/// | --- | --- | --- |
/// | 0 | 1 | 0x80 |
/// | 1 | 1 | what is asked |
/// | 2 | 1 | a number that the device repeats in its answer |
/// | 3 | 1 | 0 |
/// | 4 | 4 | bytes of the whole message, little-endian |
package struct NB1010Command: Sendable {
  /// What is asked.
  let code: UInt8
  /// What the device repeats. Any number would do; these are the ones of the recorded traffic, so
  /// that a recording, which is compared byte by byte, can stand in for the device.
  let sequence: UInt8
  /// The code of the answer.
  let answerCode: UInt8
  private let arguments: [UInt8]

  /// Asks how much of a finger the sensor feels.
  package static let senseFinger = NB1010Command(
    code: 0x38, sequence: 1, answerCode: 0x37, arguments: [])
  /// Has to come once before an image; what it does is not known.
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
