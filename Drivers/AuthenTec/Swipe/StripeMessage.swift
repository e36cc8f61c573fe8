package import SensorKit

/// The answer to a request for a stripe: e0 and the pixels; de and how often each of the 16 grays
/// occurs; df and eight bytes without interest; then the registers 80 to be, each with its number.
package struct StripeMessage: Equatable, Sendable {
  package static let messageLength = 1705
  /// Pixels in a row and rows of a stripe.
  package static let width = 192
  package static let height = 16

  private static let histogram = 1537
  private static let registers = 1579
  /// Data format; its low nibble is the gray from which on a pixel counts as ridge.
  private static let threshold = 0x97

  /// Row by row, ridges bright.
  package let pixels: [UInt8]
  /// Pixels that count as ridge.
  package let ridgePixels: Int

  /// - Throws: ``SensorFailure/Code/protocolViolation`` on another length, or when a part is not
  ///   where it should be.
  package init(_ message: [UInt8]) throws(SensorFailure) {
    let message = try AuthenTecMessage.checked(message, "a stripe", length: Self.messageLength)
    let threshold = Self.registers + 2 * (Self.threshold - 0x80)
    for (place, byte) in [
      (0, 0xE0), (Self.histogram, 0xDE), (Self.registers, 0x80), (threshold, 0x97),
    ] as [(Int, UInt8)] where message[place] != byte {
      throw AuthenTecMessage.violation(
        "byte \(place) of a stripe is 0x\(String(message[place], radix: 16)), "
          + "not 0x\(String(byte, radix: 16))")
    }
    pixels = AuthenTecMessage.stripe(message[1..<Self.histogram])
    ridgePixels = (Int(message[threshold + 1] & 15)..<16).reduce(0) { sum, gray in
      let place = Self.histogram + 1 + 2 * gray
      return sum + Int(message[place]) + Int(message[place + 1]) << 8
    }
  }
}
