import AuthcoreABI
import Testing

/// The driver as built, against traffic of a real reader from outside of this repository.
@Suite(
  "X3: a recorded swipe of a UPEK reader comes out bit by bit",
  .enabled(
    if: SharedRecordings.areThere, "no ../shared/recordings here; set AUTHCORE_SHARED to have them")
)
struct UPEKRecordingTests {
  @Test("147e:2016: a swipe over a TCS4, from the opening to the closing")
  func swipe() throws {
    try TestHost.run { host in
      let device = try LoadedTransport.recording(
        SharedRecordings.folder + "/upektc_img/capture.pcapng", text: "147e:2016")
      do {
        let sensor = try LoadedDriver.built("upek").open()
        let frame = try sensor.capture(milliseconds: 5000).get()
        #expect((frame.width, frame.height, frame.flags) == (144, 384, 0))
        let digest = try SharedRecordings.sha256(frame.pixels)
        #expect(digest == "f154ad22533e50eacf7fa7ae727d044b6430879f4c3678d80fbb92ba3b89fe34")
      }
      // Closing is in the recording too; what is not would be logged.
      #expect(host.log == ["The UPEK reader has the swipe sensor TCS4"])
      withExtendedLifetime(device) {}
    }
  }
}
