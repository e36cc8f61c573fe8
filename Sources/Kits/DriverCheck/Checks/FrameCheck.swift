import CSystemCalls
import DriverKit
import Glibc

/// What a capture of a sound touch delivers.
struct FrameCheck {
  private let loaded: LoadedTestDriver
  private static let captures = 5

  init(_ loaded: LoadedTestDriver) { self.loaded = loaded }

  func run() throws(CheckEnd) -> String? {
    // A frame in memory that was given back then shows.
    ac_perturb_freed_memory()
    let device = try loaded.plug()
    let sensor = try CheckedSensor.openHealthy(loaded, "a sound device")
    var last: CapturedFrame?
    var retries = 0
    for number in 1...Self.captures where last == nil || retries == 0 {
      // Every other one as a host of 1.0 asks for it.
      let isForFirstHost = number.isMultiple(of: 2)
      let host = isForFirstHost ? ", for a host of 1.0" : ""
      let touch = try sensor.capture(
        10_000, "number \(number) of a sound device" + host, isForFirstHost: isForFirstHost)
      if let frame = touch.frame {
        // Memory that was given back too early is somebody else's by now.
        Self.reuseMemory(Int(frame.width) * Int(frame.height))
        guard frame.isUnchanged else {
          throw .failed(
            "the pixels of a frame changed before the driver's next call",
            advice: "keep them in the sensor until the next capture or close")
        }
        last = frame
      } else if Status.isRetry(touch.status) {
        retries += 1
      } else if touch.status == Status.timeout, last != nil {
        break
      } else {
        throw .failed(
          "capture of a sound touch gave \(Status.name(touch.status))"
            + (touch.message.map { ": " + $0 } ?? ""),
          advice: "the device is sound and nothing was disturbed: compare model and driver",
          cause: CheckCause(own: CheckCause.noFrame))
      }
    }
    try sensor.close("after frames", device: device)
    guard let last else {
      throw .failed(
        "no touch of a sound device gave a frame", cause: CheckCause(own: CheckCause.noFrame))
    }
    return "\(last.width) × \(last.height) px"
  }

  /// Takes blocks of a size and writes to them: some are what was given back last.
  private static func reuseMemory(_ size: Int) {
    let blocks = (0..<8).map { _ in [UInt8](repeating: 0x5A, count: size) }
    precondition(blocks.allSatisfy { $0.count == size })
  }
}
