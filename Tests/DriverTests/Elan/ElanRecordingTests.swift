import AuthcoreABI
import Testing

/// The driver as built, against traffic of real readers from outside of this repository.
@Suite(
  "X3: recorded Elan swipes come out bit by bit",
  .enabled(
    if: SharedRecordings.areThere, "no ../shared/recordings here; set AUTHCORE_SHARED to have them")
)
struct ElanRecordingTests {
  @Test("04f3:0c26: calibrated once, ten stripes, one image of 216x235")
  func standard() throws {
    let path = SharedRecordings.folder + "/elan/capture.ioctl"
    try TestHost.run { _ in
      let device = try LoadedTransport.recording(path, text: "04f3:0c26")
      let sensor = try LoadedDriver.built("elan").open()
      let frame = try sensor.capture(milliseconds: 5000).get()
      #expect((frame.width, frame.height) == (216, 235))
      #expect(frame.flags == UInt32(AC_FRAME_INVERTED))
      let extents = try #require(frame.extents)
      #expect(extents.count == 235 && extents.allSatisfy { 144...216 ~= $0.count })
      let upright = frame.pixels.map { 255 - $0 }
      let digest = try SharedRecordings.sha256(upright)
      #expect(digest == "db87c1cb6376dbbb76f9e9b4332d18db5c4bd3d29d578dc8bc51670fc45d14f7")
      withExtendedLifetime(device) {}
    }
  }
}
