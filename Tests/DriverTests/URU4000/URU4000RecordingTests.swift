import AuthcoreABI
import TestSupport
import Testing

@testable import URU4000Driver

/// The driver as built, against recordings of real readers.
@Suite("X3: the U.are.U 4000 driver plays recordings of its traffic")
struct URU4000RecordingTests {
  @Test(
    "the frame of a recorded U.are.U 4500 comes out bit by bit",
    .enabled(if: SharedRecordings.areThere, "no recordings; AUTHCORE_SHARED names their folder"))
  func recorded() throws {
    try TestHost.run { host in
      let device = try LoadedTransport.recording(
        SharedRecordings.folder + "/uru4000-4500/capture.pcapng", text: "05ba:000a")
      let sensor = try LoadedDriver.built("uru4000").open([.number("seed", 0x51EA_2124)])
      let frame = try sensor.capture().get()
      #expect([frame.width, frame.height] == [384, 290])
      #expect(frame.flags == 7)
      // Beside the prism the imager sees nothing.
      #expect(frame.extents == Array(repeating: 12..<369, count: 290))
      // As the host turns it: half a turn, and ridges dark.
      let upright = frame.pixels.reversed().map { 255 - $0 }
      #expect(
        try SharedRecordings.sha256(upright)
          == "8ba5d9303f6672904992883ef7025257c9b3ea111cb51275c684808cf46d8a96")
      withExtendedLifetime((sensor, device)) {}
    }
  }

  @Test(
    "power-up, challenge and key exchange go register by register as on real readers",
    arguments: [Reader.digitalPersona, Reader.microsoft])
  func sequence(reader: Reader) throws {
    // Noise stands for a finger: it only has to be taken for an encrypted image.
    var transfer = URU4000Transfer(keyNumber: reader.keyNumber).bytes
    for index in 64..<transfer.count {
      transfer[index] = UInt8(truncatingIfNeeded: index &* index >> 3)
    }
    var decoder = try ImageDecoder(transfer)
    decoder.decrypt { _ in reader.key }
    let folder = try TemporaryFolder()
    let file = try folder.write("a.usb", reader.traffic(image: transfer))
    try TestHost.run { host in
      let device = try LoadedTransport.recording(file)
      var sensor: LoadedSensor? = try LoadedDriver.built("uru4000").open([
        .number("seed", 0x51EA_2124)
      ])
      let frame = try sensor?.capture().get()
      #expect(frame?.pixels == decoder.pixels)
      #expect(frame?.flags == (reader.product == 0x0A ? 7 : 1))
      // Closing sends MODE 70, which the recording has; anything else would be logged.
      sensor = nil
      #expect(!host.log.contains { $0.contains("got control") }, "\(host.log)")
      withExtendedLifetime(device) {}
    }
  }

  /// The facts in which two readers differ.
  struct Reader: CustomTestStringConvertible {
    let vendor: String
    let product: UInt8
    /// Up to the report of power; and what the reader says of itself.
    let powerUp, versions: String
    let keyNumber: UInt8
    let hiddenKey: String
    let key: UInt32

    var testDescription: String { "\(vendor):\(product)" }

    static let digitalPersona = Reader(
      vendor: "05ba", product: 0x0A,
      powerUp: """
        control c0 04 0007 0000 1 = 01
        control 40 04 0007 0000 1 : 81 =
        control 40 04 0007 0000 1 : 01 =
        complete m1 = 56aa 00*62
        submit m2 interrupt 81 64
        control c0 04 0007 0000 1 = 01
        """,
      versions: "1a0a1a0a 01150000 00200010 8b211130", keyNumber: 0, hiddenKey: "f228ae05",
      key: 0x5444_09D6)

    static let microsoft = Reader(
      vendor: "045e", product: 0xCA,
      powerUp: """
        control c0 04 0007 0000 1 = 03
        control 40 04 0007 0000 1 : 83 =
        control 40 04 0007 0000 1 : 03 =
        control c0 04 0007 0000 1 = 83
        control c0 04 2010 0000 16 = 4dae5a0b1247a86c9fbf29fdcc178a74
        control 40 04 2000 0000 16 : 329351371e4adfb1f35f09f329c6ab46 =
        control 40 04 0007 0000 1 : 03 =
        control c0 04 0007 0000 1 = 03
        complete m1 = 56aa 00*62
        submit m2 interrupt 81 64
        """,
      versions: "50255025 00340000 00130059 67191800", keyNumber: 5, hiddenKey: "7b4e638a",
      key: 0xDB89_6F5F)

    func traffic(image: [UInt8]) -> String {
      let digits = String(product, radix: 16)
      let bytes = image.hexDigits.joined()
      return """
        authcore-usb-recording 1
        device \(vendor):00\(digits.count < 2 ? "0" : "")\(digits) 0103
        interface 0 ff ff ff 81 82
        submit m1 interrupt 81 64
        \(powerUp)
        control c0 04 00f0 0000 16 = \(versions)
        control 40 04 004e 0000 1 : 10 =
        complete m2 = 56aa 00*62
        submit m3 interrupt 81 64
        complete m3 = 0101 00*62
        submit m4 interrupt 81 64
        submit i bulk 82 111424
        control 40 04 004e 0000 1 : 20 =
        complete i = \(bytes)
        control 40 04 0033 0000 5 : 0\(keyNumber) 24 21 ea 51 =
        control c0 04 0034 0000 4 = \(hiddenKey)
        control 40 04 004e 0000 1 : 12 =
        complete m4 = 0200 00*62
        submit m5 interrupt 81 64
        control 40 04 004e 0000 1 : 70 =
        complete m5 = cancelled

        """
    }
  }
}
