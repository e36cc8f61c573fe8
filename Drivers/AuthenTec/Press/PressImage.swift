package import SensorKit

/// The message with the image of a press chip: stripes of 16 rows from top to bottom, each with a
/// header byte (e0 and its number), then words and registers without interest.
package enum PressImage {
  /// The pixels, `side * side`, ridges bright, turned by half.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` when the length or a header is not as it
  ///   should be.
  package static func pixels(_ message: [UInt8], of chip: PressChip) throws(SensorFailure)
    -> [UInt8]
  {
    let message = try AuthenTecMessage.checked(message, "an image", length: chip.messageLength)
    var pixels: [UInt8] = []
    for stripe in 0..<chip.stripes {
      let start = stripe * chip.stripeLength
      guard message[start] == 0xE0 | UInt8(stripe) else {
        throw AuthenTecMessage.violation(
          "stripe \(stripe) of an image begins with 0x\(String(message[start], radix: 16))")
      }
      pixels += AuthenTecMessage.stripe(message[start + 1..<start + chip.stripeLength])
    }
    return pixels
  }
}
