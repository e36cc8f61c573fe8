package import SensorKit

/// Whether a finger lies on the sensor.
package enum NB1010Finger {
  case up, down
}

/// The device's answer to a command: the same header, and eight bytes that mean something only for
/// the finger.
///
/// Decoding is apart from the transfers, so that a test and a fuzzer can feed it any bytes. It
/// believes nothing: every field that says something is compared with what was asked.
package struct NB1010Answer: Equatable {
  /// Bytes of every answer.
  static let length = 16

  /// Above this the device feels a finger; without one it reports less, with one far more (0xF7 in
  /// the recording).
  private static let threshold: UInt8 = 0x30

  /// How much of a finger the sensor feels; only in the answer to ``NB1010Command/senseFinger``.
  package let signal: UInt8

  /// Whether a finger lies on the sensor.
  package var finger: NB1010Finger { signal > Self.threshold ? .down : .up }

  /// Reads the answer to a command.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation``, saying what does not fit.
  package init(_ bytes: [UInt8], to command: NB1010Command) throws(SensorFailure) {
    guard bytes.count == Self.length else {
      throw Self.mismatch(command, "\(bytes.count) bytes instead of \(Self.length)")
    }
    guard bytes[0] == 0x80, bytes[1] == command.answerCode else {
      throw Self.mismatch(command, "a message of another kind, \(hexadecimal(bytes[0..<2]))")
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
      "The NB-1010-U answered command \(hexadecimal([command.code])) with \(what): "
        + NB1010Sensor.wayOut)
  }
}

/// Bytes for a message to a person: `80 37`.
private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}
