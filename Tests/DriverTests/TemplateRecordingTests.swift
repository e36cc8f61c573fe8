import AuthcoreABI
import TestSupport
import Testing

/// The driver in C, as built, against recorded traffic.
@Suite("X3: the driver in C plays a recording of its traffic")
struct TemplateRecordingTests {
  private let driver: LoadedDriver

  init() throws {
    driver = try LoadedDriver.template()
  }

  @Test("the frame comes out bit by bit, and what the recording no longer has is a timeout")
  func frame() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "a.usb", TemplateDevice.recording(TemplateDevice.traffic(touch: 5)))
    try TestHost.run { host in
      let device = try LoadedTransport.recording(file)
      let sensor = try driver.open()
      #expect(sensor.capture() == .success(TemplateDevice.frame(touch: 5)))
      #expect(host.log == [])
      withExtendedLifetime((sensor, device)) {}
    }
  }

  @Test("unplugged after any event of the recording, it says so")
  func unplugAtEveryEvent() throws {
    let folder = try TemporaryFolder()
    let events = TemplateDevice.traffic(touch: 5)
    for count in 0..<(events.count - 1) {
      let file = try folder.write(
        "\(count).usb", TemplateDevice.recording(events.prefix(count) + ["unplug"]))
      try TestHost.run { _ in
        let device = try LoadedTransport.recording(file)
        do {
          let sensor = try driver.open()
          #expect(sensor.captureStatus() == AC_ERR_GONE, "after \(count) events")
          #expect(sensor.captureStatus() == AC_ERR_GONE, "after \(count) events")
        } catch let failure as LoadedDriver.Failure {
          #expect(failure.status == AC_ERR_GONE, "after \(count) events")
        }
        withExtendedLifetime(device) {}
      }
    }
  }

  @Test("traffic that the driver does not produce is an error that names the line")
  func mismatch() throws {
    let folder = try TemporaryFolder()
    var events = TemplateDevice.traffic(touch: 5)
    events[2] = "control 40 01 0007 0000 0 ="
    let file = try folder.write("a.usb", TemplateDevice.recording(events))
    try TestHost.run { host in
      let device = try LoadedTransport.recording(file)
      let sensor = try driver.open()
      #expect(sensor.captureStatus() == AC_ERR_PROTOCOL)
      #expect(host.log.contains { $0.contains("line 6: expected control 40 01 0007 0000 0") })
      withExtendedLifetime(device) {}
    }
  }
}

/// What the imaginary device of Drivers/Template sends.
enum TemplateDevice {
  static func pixels(touch: Int) -> [UInt8] {
    (0..<112).flatMap { y in (0..<96).map { x in UInt8((x * 7 + y * 13 + touch * 31) % 256) } }
  }

  static func frame(touch: Int) -> CapturedFrame {
    CapturedFrame(
      width: 96, height: 112, pixelsPerInch: 500, flags: UInt32(AC_FRAME_INVERTED),
      pixels: pixels(touch: touch))
  }

  /// The traffic of opening, one touch, and closing, one event a line, in the words of
  /// docs/recordings.md.
  static func traffic(touch: Int) -> [String] {
    let hexadecimal = pixels(touch: touch).hexDigits
    return [
      "control c0 02 0000 0000 4 = 60 70 01 01",
      "submit touch interrupt 81 8",
      "control 40 01 0001 0000 0 =",
      "complete touch = 01 00*7",
      "submit image bulk 82 10760",
      "control 40 01 0002 0000 0 =",
      "complete image = 49 00*7\n+ " + hexadecimal.joined(separator: " "),
      "control 40 01 0000 0000 0 =",
    ]
  }

  static func recording(_ events: [String]) -> String {
    "authcore-usb-recording 1\ndevice 1209:0001 0100\ninterface 0 ff ff ff 81 82\n"
      + events.joined(separator: "\n") + "\n"
  }
}
