import AuthcoreABI
import Testing

/// The driver as built, against traffic of a real reader from outside of this repository.
@Suite(
  "X3: a recorded touch of an NB-1010-U comes out bit by bit",
  .enabled(
    if: SharedRecordings.areThere, "no ../shared/recordings here; set AUTHCORE_SHARED to have them")
)
struct NB1010RecordingTests {
  @Test("298d:1010: polled once, three commands, ninety parts of one image")
  func touch() throws {
    try TestHost.run { host in
      let device = try LoadedTransport.recording(
        SharedRecordings.folder + "/nb1010/capture.ioctl", text: "298d:1010:0001")
      let sensor = try LoadedDriver.built("nb1010").open()
      let frame = try sensor.capture(milliseconds: 5000).get()
      #expect((frame.width, frame.height, frame.flags) == (256, 180, 0))
      let digest = try SharedRecordings.sha256(frame.pixels)
      #expect(digest == "109c2187aeb38c6414524f69b3c55032103205219f9a76226dafbe2a0b88477f")
      #expect(host.log == [])
      withExtendedLifetime(device) {}
    }
  }
}
