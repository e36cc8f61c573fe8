import Protocol
import Testing

@Suite("Messages of the capture protocol")
struct CaptureTests {
  private func bytes(_ message: borrowing SecretBytes) -> [UInt8] {
    message.bytes.indices.map { message.bytes[$0] }
  }

  private func stamp(_ message: [UInt8], _ channel: UInt32) -> [UInt8]? {
    let stamped = CaptureMessages.stamp(SecretBytes(copying: message.span), channel: channel)
    guard let stamped else { return nil }
    return bytes(stamped)
  }

  /// One of each kind from one channel.
  private func messages(channel: UInt32) -> [[UInt8]] {
    [
      bytes(
        SensorFrame(
          channel: channel, session: 7, width: 2, height: 1, pixelsPerInch: 500, extents: [0..<2],
          pixels: [1, 2]
        ).encoded()),
      bytes(SensorRetry(channel: channel, session: 7, reason: 3).encoded()),
      bytes(SensorEnd(channel: channel, session: 7, status: 102, message: "gone").encoded()),
    ]
  }

  @Test("E6: a stamped message is that which the channel's own host would have made")
  func stamping() {
    let channel: UInt32 = 0x0102_0304
    #expect(messages(channel: 0).map { stamp($0, channel) } == messages(channel: channel))
    // A driver's host that claims to be another channel is overruled.
    #expect(messages(channel: 9).map { stamp($0, channel) } == messages(channel: channel))
    #expect(Set(messages(channel: 0).map { $0[0] }) == Set(CaptureMessages.numbers))
  }

  @Test("what a driver says of an end is cut to what an enclave takes")
  func longEnd() throws {
    let said = String(repeating: "ä", count: 20_000)
    let end = try SensorEnd.decode(
      SensorEnd.encoded(session: 7, status: 102, saying: said).bytes)
    #expect(end.message == String(said.prefix(1000)))
  }

  @Test("what is cut off within the channel, or no message of a capture, passes no frame socket")
  func nothingElse() {
    for number in UInt8.min...UInt8.max where !CaptureMessages.numbers.contains(number) {
      #expect(stamp([number, 0, 0, 0, 0, 0], 1) == nil)
    }
    for number in CaptureMessages.numbers {
      for count in 0..<5 { #expect(stamp(Array([number, 0, 0, 0, 0].prefix(count)), 1) == nil) }
      #expect(stamp([number, 0, 0, 0, 0], 1) == [number, 0, 0, 0, 1])
    }
  }
}
