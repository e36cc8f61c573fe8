internal import FrameAssembly
package import SensorKit

/// An AES2500 or AES2501: 16 rows of 192 pixels over which a finger is drawn.
struct SwipeReader {
  /// A finger that is still there after so many stripes of 7 ms each is not being swiped.
  private static let mostStripes = 400
  /// With fewer rows, 3 mm, there is too little of a finger.
  private static let leastHeight = 64
  /// With more rows, 6 cm, the movement was misjudged.
  private static let greatestHeight = 1200
  /// How many looks for a finger come in quick succession: about three seconds, in which it mostly
  /// comes.
  private static let eagerLooks = 1000
  /// The pause between two looks, at first and later. A finger moves less than half a millimeter in
  /// it.
  private static let pauses = (eager: Duration.milliseconds(2), later: Duration.milliseconds(20))

  static let deviceInfo = DeviceInfo(
    scanType: .swipe, width: StripeMessage.width * 3 / 2, pixelsPerInch: 500)

  private let port: AuthenTecPort
  private let clock: HostClock
  private let interruption: Interruption
  private var isReady = false
  /// Whether the finger of the previous swipe may still be there.
  private var mayBeHeld = false

  init(_ port: AuthenTecPort, _ context: SensorContext) throws(SensorFailure) {
    self.port = port
    clock = try context.host.clock()
    interruption = context.interruption
    try activate()
    isReady = true
  }

  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    let end = clock.now() + timeout
    if !isReady {
      try port.drain()
      try activate()
      isReady = true
    }
    if mayBeHeld { try awaitFinger(false, until: end) }
    mayBeHeld = false
    try awaitFinger(true, until: end)
    mayBeHeld = true
    isReady = false
    let stripes = try readStripes()
    isReady = true
    guard let stripes else { return .retry(.tooSlow) }
    mayBeHeld = false
    guard stripes.count > 1 else { return .retry(.tooShort) }
    return try assembled(stripes)
  }

  private func activate() throws(SensorFailure) {
    try port.send(
      SwipeRegisters.reset, SwipeRegisters.settle, SwipeRegisters.detection,
      SwipeRegisters.calibration)
    _ = try port.receive("the first look", length: FingerDetection.messageLength)
    try port.send(SwipeRegisters.tuning)
    // The chip has tuned itself once register af is no longer 6b.
    for round in 1...13 {
      try port.send(SwipeRegisters.dump)
      let dump = try port.receive("the registers", length: SwipeRegisters.dumpLength)
      if dump[95] != 0x6B || round == 13 { break }
      try port.send(SwipeRegisters.tuningAgain)
    }
    try port.send(SwipeRegisters.tuned, SwipeRegisters.idle)
  }

  /// Polls until the presence of a finger is as `wanted`.
  private mutating func awaitFinger(_ wanted: Bool, until end: Duration) throws(SensorFailure) {
    var looks = 0
    while true {
      // If this is interrupted, an answer is left behind.
      isReady = false
      try port.send(SwipeRegisters.look, SwipeRegisters.lookMore, SwipeRegisters.lookNow)
      let message = try port.receive("the look for a finger", length: FingerDetection.messageLength)
      let shows = try FingerDetection.showsFinger(message)
      isReady = true
      if shows == wanted { return }
      guard clock.now() < end else {
        throw SensorFailure(
          .timeout, wanted ? "No finger came in time" : "The finger was not lifted in time")
      }
      looks += 1
      let pause = looks < Self.eagerLooks ? Self.pauses.eager : Self.pauses.later
      try interruption.wait(for: min(pause, end - clock.now()), on: clock)
    }
  }

  /// Reads the stripes of the finger until it is gone: until three in a row have no ridges. Returns
  /// nil if it stays.
  private func readStripes() throws(SensorFailure) -> [StripeMessage]? {
    try port.send(SwipeRegisters.reset, SwipeRegisters.swipe, SwipeRegisters.firstScan)
    _ = try port.receive("the first scan", length: SwipeRegisters.scanLength)
    try port.send(SwipeRegisters.secondScan)
    _ = try port.receive("the second scan", length: SwipeRegisters.scanLength)
    var gain = GainControl()
    var stripes: [StripeMessage] = []
    var empty = 0
    while stripes.count < Self.mostStripes {
      try interruption.check()
      try port.send(SwipeRegisters.stripe(reference: gain.reference))
      let stripe = try StripeMessage(
        port.receive("a stripe", length: StripeMessage.messageLength))
      gain.note(ridgePixels: stripe.ridgePixels)
      if stripe.ridgePixels > 0 {
        stripes.append(stripe)
        empty = 0
      } else {
        empty += 1
        if empty == 3 { return stripes }
      }
    }
    return nil
  }

  private func assembled(_ stripes: [StripeMessage]) throws(SensorFailure) -> CaptureOutcome {
    var swipe: SwipeImage
    do throws(AssemblyError) {
      let series = try StripeSeries(
        width: StripeMessage.width, height: StripeMessage.height,
        pixels: stripes.flatMap(\.pixels))
      swipe = try Self.assembled(series, .exact)
      // A slow swipe would be stretched to twice its length and more.
      if swipe.report.verdict == .tooSlow { swipe = try Self.assembled(series, .robust) }
    } catch {
      // No real swipe makes an image that high.
      guard case .tooHigh = error else { throw SensorFailure(error) }
      return .retry(.general)
    }
    if let reason = RetryReason(swipe.report.verdict) { return .retry(reason) }
    return .frame(
      try Frame(swipe, pixelsPerInch: Self.deviceInfo.pixelsPerInch, layout: .inverted))
  }

  private static func assembled(
    _ series: StripeSeries, _ placement: StripePlacement
  ) throws(AssemblyError) -> SwipeImage {
    try series.assembled(
      imageWidth: deviceInfo.width, heights: leastHeight...greatestHeight, placement: placement)
  }
}

/// The answer to a look for a finger: a column of black and white pixels.
package enum FingerDetection {
  package static let messageLength = 20

  /// Whether there is a finger: after f0 come 8 bytes whose nibbles add up to more than 20.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` if the length or the first byte is wrong.
  package static func showsFinger(_ message: [UInt8]) throws(SensorFailure) -> Bool {
    let message = try AuthenTecMessage.checked(
      message, "the look for a finger", length: messageLength)
    guard message[0] == 0xF0 else {
      throw AuthenTecMessage.violation(
        "the look for a finger begins with 0x\(String(message[0], radix: 16))")
    }
    return message[1...8].reduce(0) { $0 + Int($1 & 15) + Int($1 >> 4) } > 20
  }
}

/// The upper reference of the A/D converter, which follows the ridges of a swipe.
package struct GainControl: Equatable, Sendable {
  /// The value for register 91.
  package private(set) var reference: UInt8 = 0x58

  package init() {}

  /// Adapts the reference to a stripe's number of ridge pixels, from the next request on.
  package mutating func note(ridgePixels: Int) {
    if ridgePixels < 700 {
      reference = max(0x28, reference - 8)
    } else if ridgePixels > 1000 {
      reference = min(0x58, reference + 8)
    }
  }
}
