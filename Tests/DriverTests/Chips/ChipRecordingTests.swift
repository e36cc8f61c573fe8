import AuthcoreABI
import Testing

/// The drivers as built, against traffic of real readers from outside of this repository: each
/// session is played from the first byte to the last.
@Suite(
  "X3: recorded sessions of sensors that match on the chip play to their end",
  .enabled(
    if: SharedRecordings.areThere, "no ../shared/recordings here; set AUTHCORE_SHARED to have them")
)
struct ChipRecordingTests {
  private static let name = Array("FP1-00000000-0-00000000-nobody".utf8)

  /// Plays a session. What was not played, or played in another way, the transport complains of.
  private func play(
    _ driver: String, _ recording: String, _ device: String, _ body: (LoadedChip) throws -> Void
  ) throws {
    let path = SharedRecordings.folder + "/\(recording)/custom.pcapng"
    try TestHost.run { host in
      let device = try LoadedTransport.recording(path, text: device)
      try body(LoadedDriver.built(driver).open().chip())
      #expect(host.log == [])
      #expect(host.message == "")
      withExtendedLifetime(device) {}
    }
  }

  @Test("04f3:0c88: nine good touches and two retries, listed, found twice, removed")
  func elan() throws {
    try play("elanchip", "elanmoc", "04f3:0c88") { chip in
      #expect(chip.sensor.info().map { Self.text($0.firmware) } == "8004")
      let progress = try chip.enrollWhole(Self.name)
      #expect(progress == [11, 22, 33, 44, 55, 66, 77, nil, 88, nil, 100])
      #expect(try chip.list() == [Self.name])
      #expect(try chip.identify() == Self.name)
      #expect(try chip.identify([Self.name]) == Self.name)
      try chip.remove(Self.name)
    }
  }

  @Test("06cb:00bd: cleared, eight good touches and a retry, found after a suspend, removed")
  func synaptics() throws {
    try play("synaptics", "synaptics", "06cb:00bd") { chip in
      #expect(chip.sensor.info().map { Self.text($0.firmware) } == "10.1")
      try chip.clear()
      let progress = try chip.enrollWhole(Self.name)
      #expect(progress == [12, 25, 37, 50, 62, nil, 75, 87, 100])
      #expect(try chip.identify([Self.name]) == Self.name)
      try chip.remove(Self.name)
    }
  }

  private static func text<Field>(_ field: Field) -> String {
    unsafe withUnsafeBytes(of: field) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
