package import SensorKit

/// The answer to a look for a finger: a column of black and white pixels.
package enum FingerDetection {
  package static let messageLength = 20

  /// Whether a finger lies on the sensor: f0, then 8 bytes whose nibbles add up to more than 20.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` on another length or first byte.
  package static func showsFinger(_ message: [UInt8]) throws(SensorFailure) -> Bool {
    let message = try AuthenTecMessage.checked(
      message, "the look for a finger", length: messageLength)
    guard message[0] == 0xF0 else {
      throw AuthenTecMessage.violation(
        "the look for a finger begins with 0x\(String(message[0], radix: 16))")
    }
    return message[1...8].reduce(0) { $0 + Int($1 & 15) + Int($1 >> 4) } > 20
  }
}
