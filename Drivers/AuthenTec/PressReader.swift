internal import FrameAssembly
package import SensorKit

/// An AES3500 or AES4000. Once armed, it waits for a finger and sends its image.
struct PressReader {
  /// An image that comes sooner is of a finger that was already there: the chip takes 62 ms to
  /// detect a finger, and a person needs longer than this to put one down.
  private static let held = Duration.milliseconds(150)

  private let chip: PressChip
  private let port: AuthenTecPort
  private let clock: HostClock
  private let interruption: Interruption
  private var isReady = false
  /// Whether the finger of the previous touch may still be there.
  private var mayBeHeld = false

  init(_ chip: PressChip, _ port: AuthenTecPort, _ context: SensorContext) throws(SensorFailure) {
    (self.chip, self.port) = (chip, port)
    clock = try context.host.clock()
    interruption = context.interruption
    try initialize()
    isReady = true
  }

  var deviceInfo: DeviceInfo {
    let side = chip.side * chip.factor
    return DeviceInfo(
      scanType: .press, width: side, height: side,
      pixelsPerInch: chip.pixelsPerInch * chip.factor)
  }

  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    let end = clock.now() + timeout
    if !isReady {
      try port.drain()
      try initialize()
    }
    // Until an image has come the chip is armed and may send one at any time. Only a reset is known
    // to end that.
    isReady = false
    let pixels = try PressImage.pixels(awaitImage(until: end), of: chip)
    isReady = true
    let enlarged = try SensorFailure.assembling { () throws(AssemblyError) in
      try Enlarging.image(pixels, width: chip.side, height: chip.side, factor: chip.factor)
    }
    return .frame(
      try Frame(
        width: deviceInfo.width, height: deviceInfo.height,
        pixelsPerInch: deviceInfo.pixelsPerInch,
        layout: [.inverted, .flippedHorizontally, .flippedVertically],
        pixels: enlarged))
  }

  /// The message with the image of the next touch.
  private mutating func awaitImage(until end: Duration) throws(SensorFailure) -> [UInt8] {
    repeat {
      try arm()
      let start = clock.now()
      let message = try port.receiveOnTouch(length: chip.messageLength, deadline: end - start)
      let isComplete = message.count == chip.messageLength
      if message.isEmpty || !isComplete && clock.now() >= end {
        // If the chip waited, there was no finger.
        if clock.now() - start >= Self.held { mayBeHeld = false }
        break
      }
      // The chip does not report a lift. The image of a finger that stayed comes at once.
      guard mayBeHeld, clock.now() - start < Self.held else {
        mayBeHeld = true
        return message
      }
      try interruption.wait(for: Self.held, on: clock)
    } while clock.now() < end
    throw SensorFailure(.timeout, "No finger came in time")
  }

  private func initialize() throws(SensorFailure) {
    try port.send(
      [0x80, 0x01],  // master reset
      [0x80, 0x00],
      [0x81, 0x00, 0x80, 0x00],
      [0x80, 0x02],  // scan reset
      [0x80, 0x00],
      [0x80, 0x04],  // registers take effect at once
      [0x80, 0x00],
      [0x81, 0x00],
      [
        0x80, 0x00, 0x81, 0x00,
        0x82, 0x04,  // excitation: drive ring 2 MHz, 4 V
        0x83, 0x13,  // finger detection: continuous, settled after 62.5 ms
        0x84, 0x07, 0x85, 0x3D,  // calibration: 12 kOhm and its capacitance
        0x86, 0x03, 0x87, 0x01,  // detection: voltage, 125 kHz
        0x88, 0x02, 0x89, 0x02, 0x8A, 0x33,  // column period, measuring drive, frequency and bias
        0x8B, 0x33, 0x8C, 0x0F, 0x8D, 0x04,  // matrix pattern, demodulation phases
        0x8E, 0x23, 0x8F, 0x07,  // gain, image parameters
      ],
      [
        0x90, 0x00,  // carrier offset
        0x91, 0x1C, 0x92, 0x08,  // A/D reference, high and low
        0x93, 0x00, 0x94, chip.lastRows, 0x95, 0x00, 0x96, chip.lastColumns,
        0x97, 0x04, 0x98, 0x28, 0x99, 0x00, 0x9A, 0x0B,  // format, control, state
        0x9B, 0x00, 0x9C, 0x00, 0x9D, 0x09, 0x9E, 0x53, 0x9F, 0x6B,  // challenge words
      ])
  }

  private func arm() throws(SensorFailure) {
    try port.send(
      [0x80, 0x00, 0x81, 0x00],
      [0x81, 0x04],  // take one image
      [0x81, 0x00])
  }
}

/// How the two press chips differ.
package struct PressChip: Sendable {
  /// Pixels of a side.
  package let side: Int
  /// How many times the image is enlarged, as in libfprint, because prints and recordings have that
  /// size.
  let factor: Int
  /// Pixels per inch of the sensor itself.
  let pixelsPerInch: Int
  /// Bytes of the message with the image.
  package let messageLength: Int
  /// Registers 94 and 96: the last group of rows, and of columns.
  let lastRows: UInt8
  let lastColumns: UInt8

  /// The ridges of the recorded finger are 9.8 pixels apart, which fits 500 ppi.
  package static let aes3500 = PressChip(
    side: 128, factor: 2, pixelsPerInch: 500, messageLength: 8329, lastRows: 0x07,
    lastColumns: 0x1F)

  /// There is no recording. The chip is known to have 250 ppi: 96 pixels on almost a centimeter.
  package static let aes4000 = PressChip(
    side: 96, factor: 3, pixelsPerInch: 250, messageLength: 4697, lastRows: 0x05,
    lastColumns: 0x18)

  /// Stripes of 16 rows.
  var stripes: Int { side / 16 }
  /// Bytes of a stripe, its header included.
  var stripeLength: Int { 1 + side * 8 }
}

/// The message with the image of a press chip: stripes of 16 rows from top to bottom, each with a
/// header byte (e0 and its number), then words and registers that are not used.
package enum PressImage {
  /// The pixels, `side * side`, ridges bright, upside down.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` if the length or a header is wrong.
  package static func pixels(_ message: [UInt8], of chip: PressChip) throws(SensorFailure)
    -> [UInt8]
  {
    let message = try AuthenTecMessage.checked(message, "an image", length: chip.messageLength)
    var pixels: [UInt8] = []
    for stripe in 0..<chip.stripes {
      let start = stripe * chip.stripeLength
      guard message[start] == 0xE0 | UInt8(stripe) else {
        throw AuthenTecMessage.violation(
          "stripe \(stripe) of an image begins with 0x\(String(message[start], radix: 16))")
      }
      pixels += AuthenTecMessage.stripe(message[start + 1..<start + chip.stripeLength])
    }
    return pixels
  }
}
