internal import FrameAssembly
internal import SensorKit

/// The frames that came while a finger passed.
struct ElanSwipe {
  enum Ending: Equatable {
    /// The finger has gone.
    case lifted
    /// There is the largest number of frames.
    case full
    /// It took too long.
    case slow
    /// No pixel is brighter than the background: the finger was on the sensor when that was taken.
    case darkerThanBackground
    /// The endpoint halted.
    case stalled
  }

  /// Frames without the background, row by row, in time order.
  var frames: [[UInt16]] = []
  var ending = Ending.full

  /// The most frames that are taken.
  static let mostFrames = 30
  /// With fewer frames no picture can be made.
  static let fewestFrames = 7
  /// Frames at the end that are left out, because the finger is being lifted.
  static let liftedFrames = 2
  /// If the reader sees no finger for so long, it has gone.
  static let pause = Duration.milliseconds(200)
  /// The longest swipe. It may begin when the capture's time is up, and the host ends the driver 5
  /// s later.
  static let longest = Duration.seconds(3)
}

extension ElanSensor {
  /// Waits for a finger and takes frames while it passes.
  func readSwipe(background: [UInt16], until end: Duration) throws(SensorFailure) -> ElanSwipe {
    try port.send(.lightOn, until: end)
    while try !port.fingerComes(within: max(.zero, end - clock.now()), until: end) {
      guard clock.now() < end else { throw Self.noSwipe }
      try interruption.wait(for: .milliseconds(50), on: clock)
    }
    let start = clock.now()
    var swipe = ElanSwipe()
    do throws(SensorFailure) {
      repeat {
        let frame = try geometry.pixels(of: port.readFrame(geometry.frameLength))
        let finger = try SensorFailure.assembling { () throws(AssemblyError) in
          try BackgroundSubtraction.image(frame, without: background)
        }
        guard finger.contains(where: { $0 > 0 }) else {
          swipe.ending = .darkerThanBackground
          return swipe
        }
        swipe.frames.append(finger)
        guard swipe.frames.count < ElanSwipe.mostFrames else { return swipe }
        guard clock.now() - start < ElanSwipe.longest else {
          swipe.ending = .slow
          return swipe
        }
      } while try port.fingerComes(within: ElanSwipe.pause)
      swipe.ending = .lifted
    } catch {
      guard error.code == .stall else { throw error }
      swipe.ending = .stalled
    }
    return swipe
  }

  /// Makes one picture of the frames, or says why the person has to swipe again.
  func outcome(of swipe: ElanSwipe) throws(SensorFailure) -> CaptureOutcome {
    switch swipe.ending {
    case .darkerThanBackground: return .retry(.lift)
    case .stalled: return .retry(.general)
    case .slow: return .retry(.tooSlow)
    case .lifted, .full: break
    }
    guard swipe.frames.count >= ElanSwipe.fewestFrames else { return .retry(.tooShort) }
    let gray = variant == .linearGray ? ElanGray.linear : .threeRanges
    let stripes = swipe.frames.dropLast(ElanSwipe.liftedFrames).flatMap(gray.mapped)
    try interruption.check()
    let image = try SensorFailure.assembling { () throws(AssemblyError) in
      try StripeSeries(width: geometry.width, height: geometry.height, pixels: stripes)
        .assembled(
          imageWidth: geometry.imageWidth, heights: 1...ElanSwipe.mostFrames * geometry.height)
    }
    if let reason = RetryReason(image.report.verdict) { return .retry(reason) }
    return .frame(try Frame(image, pixelsPerInch: Self.pixelsPerInch, layout: .inverted))
  }
}
