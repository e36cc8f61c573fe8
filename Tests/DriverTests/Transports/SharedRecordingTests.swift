import RecordingTransport
import SensorKit
import Testing

@Suite(
  "Recordings of real readers can be read",
  .enabled(if: SharedRecordings.areThere, "needs AUTHCORE_SHARED"))
struct SharedRecordingTests {
  @Test(
    "captures tell their device; where several were written to, the text chooses",
    arguments: [
      ("aes2501/capture.pcapng", "", UInt16(0x08FF), UInt16(0x2580), [UInt8]([0x81, 0x02])),
      ("egis0570/capture.pcapng", "1c7a:0570", 0x1C7A, 0x0570, [0x04, 0x83]),
      ("elanmoc/custom.pcapng", "", 0x04F3, 0x0C88, [0x81, 1, 0x82, 2, 0x83, 3, 0x84, 4]),
      ("fpcmoc/custom.pcapng", "", 0x10A5, 0xFFE0, [0x81]),
      ("synaptics/custom.pcapng", "", 0x06CB, 0x00BD, [0x01, 0x81, 0x83]),
      ("upektc_img/capture.pcapng", "147e:1000,147e:2016", 0x147E, 0x2016, [0x81, 0x02, 0x83]),
      ("upektc_img/capture.pcapng", "", 0x147E, 0x2016, [0x81, 0x02, 0x83]),
      ("uru4000-4500/capture.pcapng", "", 0x05BA, 0x000A, [0x81, 0x82]),
    ])
  func captures(
    name: String, text: String, vendor: UInt16, product: UInt16, endpoints: [UInt8]
  ) throws {
    let choice = try #require(DeviceChoice(text))
    let recording = try RecordingReader.read(SharedRecordings.bytes(name), device: choice)
    #expect(recording.info.vendor == vendor && recording.info.product == product)
    #expect(recording.info.interfaces.flatMap { $0.endpoints } == endpoints)
    guard case .script(let entries, _) = recording.content else {
      Issue.record("it is no script")
      return
    }
    #expect(entries.count > 20)
  }

  @Test(
    ".ioctl files are read wholly",
    arguments: [
      ("aes3500", 11), ("elan", 76), ("nb1010", 96), ("vfs0050", 103), ("vfs301", 197),
      ("vfs5011", 105), ("vfs7552", 4848),
    ])
  func ioctls(name: String, count: Int) throws {
    let recording = try RecordingReader.read(
      SharedRecordings.bytes("\(name)/capture.ioctl"),
      device: .models([RecordedModel(vendor: 1, product: 2)]))
    guard case .sequence(let exchanges) = recording.content else {
      Issue.record("it is no sequence")
      return
    }
    #expect(exchanges.count == count)
  }
}
