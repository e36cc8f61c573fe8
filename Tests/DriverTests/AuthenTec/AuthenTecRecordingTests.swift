import AuthcoreABI
import FrameAssembly
import Testing

/// The driver as built, against what real readers said.
@Suite(
  "X3: the driver authentec plays recordings of its traffic",
  .enabled(if: SharedRecordings.areThere, "no recordings; AUTHCORE_SHARED names their folder"))
struct AuthenTecRecordingTests {
  /// The flags of all frames: ridges bright, turned by half.
  private static let flags =
    UInt32(AC_FRAME_INVERTED | AC_FRAME_FLIP_HORIZONTAL | AC_FRAME_FLIP_VERTICAL)

  /// The first frame of a recording.
  private func frame(_ file: String, _ device: String) throws -> CapturedFrame {
    try TestHost.run { host in
      let device = try LoadedTransport.recording(
        "\(SharedRecordings.folder)/\(file)", text: device)
      let sensor = try LoadedDriver.built("authentec").open()
      let frame = try sensor.capture(milliseconds: 30_000).get()
      #expect(host.log == [])
      withExtendedLifetime(device) {}
      return frame
    }
  }

  /// Of the picture as the host turns it.
  private func hash(_ frame: CapturedFrame) throws -> String {
    let upright = try FrameLayout(rawValue: frame.flags).applied(
      to: frame.pixels, width: frame.width)
    return try SharedRecordings.sha256(upright)
  }

  @Test("the touch of an AES3500 comes out bit by bit")
  func aes3500() throws {
    let frame = try frame("aes3500/capture.ioctl", "08ff:5731")
    #expect([frame.width, frame.height, frame.pixelsPerInch] == [256, 256, 1000])
    #expect(frame.flags == Self.flags)
    #expect(
      try hash(frame) == "590000fb25eb30dab513b2dcfb5ae256b796a05709df65c0e48625f3f04e6694")
  }

  @Test("the swipe over an AES2501 comes out bit by bit, after 706 looks for a finger")
  func aes2501() throws {
    let frame = try frame("aes2501/capture.pcapng", "08ff:2580")
    #expect([frame.width, frame.height, frame.pixelsPerInch] == [288, 118, 500])
    let extents = try #require(frame.extents)
    #expect(extents.count == 118 && extents.allSatisfy { 192...288 ~= $0.count })
    #expect(frame.flags == Self.flags)
    #expect(
      try hash(frame) == "74b9380722b2fb6ab0abcda4d07da5d830d35656a3c38fc6d838b7ba17cd5229")
  }
}
