import AuthenTecDriver

/// Feeds answers of AuthenTec's chips: the input itself, and whole messages with bytes changed as
/// the input says.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes else { return 0 }
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  decode(input)
  for whole in wholeMessages {
    var message = whole
    for start in stride(from: 0, to: count - 2, by: 3) {
      let place = Int(input[start]) << 8 | Int(input[start + 1])
      if place < message.count { message[place] = input[start + 2] } else { message.removeLast() }
      if message.isEmpty { break }
    }
    decode(message)
  }
  return 0
}

/// Any message is refused, or has the right number of pixels.
private func decode(_ message: [UInt8]) {
  for chip in [PressChip.aes3500, .aes4000] {
    guard let pixels = try? PressImage.pixels(message, of: chip) else { continue }
    precondition(pixels.count == chip.side * chip.side)
  }
  _ = try? FingerDetection.showsFinger(message)
  if let stripe = try? StripeMessage(message) {
    precondition(stripe.pixels.count == StripeMessage.width * StripeMessage.height)
    var gain = GainControl()
    gain.note(ridgePixels: stripe.ridgePixels)
  }
}

private let wholeMessages: [[UInt8]] = {
  let press = [(PressChip.aes3500, 1025), (.aes4000, 769)].map { chip, stripeLength in
    var message = [UInt8](repeating: 0x5A, count: chip.messageLength)
    for stripe in 0..<chip.side / 16 { message[stripe * stripeLength] = 0xE0 | UInt8(stripe) }
    return message
  }
  var stripe = [UInt8](repeating: 0x5A, count: StripeMessage.messageLength)
  (stripe[0], stripe[1537], stripe[1579], stripe[1625]) = (0xE0, 0xDE, 0x80, 0x97)
  let look: [UInt8] = [0xF0] + Array(repeating: 0x5A, count: FingerDetection.messageLength - 1)
  return press + [stripe, look]
}()
