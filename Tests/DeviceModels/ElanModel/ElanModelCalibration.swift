/// How the simulated reader is calibrated.
struct ElanModelCalibration {
  private var isNeeded: Bool
  private let running: Int
  private var runningLeft: Int
  private var isStale: Bool
  private let changesNothing: Bool

  init(running: Int, isStale: Bool, changesNothing: Bool) {
    isNeeded = running > 0
    self.running = running
    runningLeft = running
    self.isStale = isStale
    self.changesNothing = changesNothing
  }

  /// The mean that the reader wants, far from that of the empty sensor where a calibration is
  /// needed; some tell their own instead, which has to lie from 2500 to 5500.
  func mean(isWide: Bool) -> [UInt8] {
    let wanted = isWide ? (isNeeded ? 6000 : 4000) : (isNeeded ? 8400 : 5830)
    return [UInt8(wanted / 255), UInt8(wanted % 255)]
  }

  /// What it says when asked for the state: 1 while it runs, 3 when it is done. Asked once more it
  /// begins anew.
  mutating func query() -> UInt8 {
    if isStale {
      isStale = false
      return 3
    }
    if runningLeft > 0 {
      runningLeft -= 1
      return 1
    }
    runningLeft = running
    if !changesNothing { isNeeded = false }
    return 3
  }
}
