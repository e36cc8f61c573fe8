import AuthenTecDriver
import SensorKit
import Testing

@Suite("Messages of AuthenTec's chips")
struct AuthenTecDecodingTests {
  @Test("two pixels a byte, the upper one in the low nibble, column by column")
  func packing() {
    let packed: [UInt8] = [0x21, 0x43, 0, 0, 0, 0, 0, 0, 0xF5, 0, 0, 0, 0, 0, 0, 0x76]
    let pixels = AuthenTecMessage.stripe(packed[...])
    #expect(pixels.count == 32)
    #expect(pixels.prefix(8) == [17, 85, 34, 255, 51, 0, 68, 0])
    #expect(pixels.suffix(4) == [0, 102, 0, 119])
  }

  @Test("a press image has a header at each stripe")
  func pressHeaders() throws {
    var message = [UInt8](repeating: 0x11, count: 8329)
    for stripe in 0..<8 { message[stripe * 1025] = 0xE0 + UInt8(stripe) }
    #expect(try PressImage.pixels(message, of: .aes3500) == Array(repeating: 17, count: 128 * 128))
    message[5 * 1025] = 0xE4
    let failure = #expect(throws: SensorFailure.self) {
      try PressImage.pixels(message, of: .aes3500)
    }
    #expect(failure?.code == .protocolViolation)
    #expect(failure?.message.contains("stripe 5") == true)
    #expect(throws: SensorFailure.self) { try PressImage.pixels([], of: .aes4000) }
  }

  @Test("more than 20 in the nibbles of the look is a finger")
  func finger() throws {
    var message: [UInt8] =
      [0xF0, 0x55, 0x55, 0, 0, 0, 0, 0, 0, 0xDF] + Array(repeating: 9, count: 10)
    #expect(try !FingerDetection.showsFinger(message))
    message[8] = 0x10
    #expect(try FingerDetection.showsFinger(message))
    message[0] = 0xE0
    #expect(throws: SensorFailure.self) { try FingerDetection.showsFinger(message) }
  }

  @Test("a stripe counts its ridge pixels from the threshold in its registers on")
  func stripe() throws {
    var message = [UInt8](repeating: 0, count: 1705)
    message[0] = 0xE0
    message[1537] = 0xDE
    for register in 0..<63 { message[1579 + 2 * register] = 0x80 + UInt8(register) }
    for gray in 0..<16 {
      message[1538 + 2 * gray] = 1
      message[1539 + 2 * gray] = gray == 15 ? 2 : 0
    }
    message[1579 + 46 + 1] = 0xFC
    #expect(try StripeMessage(message).ridgePixels == 4 + 512)
    for place in [0, 1537, 1579, 1625] {
      var wrong = message
      wrong[place] ^= 1
      #expect(throws: SensorFailure.self) { try StripeMessage(wrong) }
    }
    #expect(throws: SensorFailure.self) { try StripeMessage(Array(message.dropLast())) }
  }

  @Test("the gain follows the ridges between its limits")
  func gain() {
    var gain = GainControl()
    #expect(gain.reference == 0x58)
    gain.note(ridgePixels: 1001)
    #expect(gain.reference == 0x58)
    var references: [UInt8] = []
    for ridges in [699, 699, 700, 1000, 0, 0, 0, 0, 0, 1001] {
      gain.note(ridgePixels: ridges)
      references.append(gain.reference)
    }
    #expect(references == [0x50, 0x48, 0x48, 0x48, 0x40, 0x38, 0x30, 0x28, 0x28, 0x30])
  }
}
