import AuthcoreABI
import TestSupport

/// What the imaginary device of Drivers/Template shows, written down a second time.
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
