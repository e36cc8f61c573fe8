import AuthcoreABI
import Testing

/// A driver and a simulated device, and how many calls there are at which something can go wrong.
struct SweptReader: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let driver: String
  let settings: String
  /// From opening to the end of the first capture.
  let callsOfOneCapture: Int
  /// Into the next capture as far as it is another than the first.
  let callsBeyond: Int
  /// Whether it opens in spite of a fault meanwhile.
  let opensInSpite: Bool
  /// What a capture comes to whose endpoint halts once.
  let statusOfStall: Int
  /// How many faults of each kind spoil a touch at least; the others hit calls that do without an
  /// answer.
  let leastSpoilt: Int
  /// One of these words is in each message about a spoilt touch; none: any will do.
  var saying: [String] = []
  /// When the host interrupts, in milliseconds after opening, and how many of those hit a wait at
  /// least.
  let alarm: UInt64
  let leastInterrupted: Int
  /// The frames that an undisturbed device gives.
  let frames: @Sendable () throws -> [CapturedFrame]

  var lastCall: Int { callsOfOneCapture + callsBeyond }

  func saysEnough(_ message: String) -> Bool {
    saying.isEmpty || saying.contains { message.contains($0) }
  }

  func sweep(captures: Int = 2, milliseconds: UInt32 = 5000) -> FaultSweep {
    FaultSweep(driver: driver, settings: settings, captures: captures, milliseconds: milliseconds)
  }
}

extension SweptReader {
  static let all = [nb1010, upek, authentecPress, authentecSwipe]

  /// Claiming; then a poll that finds no finger and one that does, two commands and 90 parts of an
  /// image. A command is a write and a read, a read two calls.
  private static let nb1010 = SweptReader(
    testDescription: "nb1010", driver: "nb1010", settings: "lift=100",
    callsOfOneCapture: 1 + 2 * 3 + 2 * 3 + 90 * 2, callsBeyond: 4 * 3,
    opensInSpite: true, statusOfStall: AC_RETRY_GENERAL, leastSpoilt: 100, alarm: 200,
    leastInterrupted: 100,
    frames: { (1...4).map(NB1010DriverTests.frame) })

  /// The smallest image, so that a sweep is short. Claiming, and six times a write and an answer;
  /// then the command, two statuses and a busy frame with their answers, and 21 frames of an image
  /// in two reads each but the last, whose end still needs two, with acknowledgements between them.
  private static let upek = SweptReader(
    testDescription: "upek", driver: "upek", settings: "sensor=5,busy=1",
    callsOfOneCapture: 1 + 6 * 3 + 1 + 3 * 3 + 21 * 4 + 20, callsBeyond: 4 * 3,
    opensInSpite: true, statusOfStall: AC_RETRY_GENERAL, leastSpoilt: 40, alarm: 150,
    leastInterrupted: 114,
    frames: { (1...4).map { UPEKDriverTests.frame(sensor: 5, touch: $0) } })

  /// Claiming and ten transfers; then three and a read.
  private static let authentecPress = SweptReader(
    testDescription: "authentec, press", driver: "authentec", settings: "chip=0x5731,hold=100",
    callsOfOneCapture: 1 + 10 + (3 + 2), callsBeyond: 10, opensInSpite: false,
    statusOfStall: AC_ERR_STALL,
    leastSpoilt: 3, saying: ["try again", "took"], alarm: 200,
    leastInterrupted: 9,
    frames: { try (1...5).map { try AuthenTecFrames.aes3500(touch: $0) } })

  /// Claiming, eight transfers and two reads; a look; two scans and nine stripes.
  private static let authentecSwipe = SweptReader(
    testDescription: "authentec, swipe", driver: "authentec", settings: "delay=0,rows=71,step=11",
    callsOfOneCapture: 1 + 8 + 2 * 2 + (3 + 2) + (4 + 2 * 2) + 9 * 3, callsBeyond: 10,
    opensInSpite: false, statusOfStall: AC_ERR_STALL, leastSpoilt: 3,
    saying: ["try again", "took"], alarm: 200,
    leastInterrupted: 22,
    frames: { (1...5).map { AuthenTecFrames.swipe(rows: 71, touch: $0) } })
}
