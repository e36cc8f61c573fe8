import AuthcoreABI
import LinuxSystem
import Synchronization

/// The host's request that a capture return.
struct InterruptionCheck {
  let loaded: LoadedTestDriver

  /// sensor.h: within 100 ms.
  private static let limit: UInt64 = 100
  /// How long interrupt itself may take, since it must not block.
  private static let callLimit: UInt64 = 50
  private static let rounds = 5

  func run() throws(CheckEnd) -> String? {
    try atEveryCall()
    try afterwards()
    CheckClock.becomeReal()
    let device = try loaded.plugUntouched()
    let sensor = try CheckedSensor.openHealthy(loaded, "a device that nobody touches")
    sensor.interrupt()
    let before = try sensor.capture(5000, "that was interrupted before it began")
    try Self.expectInterrupted(before, "an interrupt before capture")
    guard before.milliseconds <= Self.limit else {
      throw .failed(
        "capture returned \(before.milliseconds) ms after it began, though it was interrupted before",
        advice: "remember an interrupt that comes while nothing is under way")
    }
    var (latencies, calls): ([UInt64], [UInt64]) = ([], [])
    for _ in 0..<Self.rounds {
      let (latency, call) = try times(of: sensor)
      latencies.append(latency)
      calls.append(call)
    }
    try sensor.close("after interrupts", device: device)
    let call = Self.median(calls)
    guard call <= Self.callLimit else {
      throw .failed(
        "interrupt took \(call) ms (median of \(Self.rounds))",
        advice: "it must not wait for a lock that capture holds while it waits")
    }
    let median = Self.median(latencies)
    guard median <= Self.limit else {
      throw .failed(
        "capture returned \(median) ms after an interrupt (median of \(Self.rounds))",
        advice: "hand interrupt on to usb->interrupt, and sleep with clock/1 alone")
    }
    return "median \(median) ms"
  }

  private static func median(_ times: [UInt64]) -> UInt64 { times.sorted()[times.count / 2] }

  private static func expectInterrupted(
    _ touch: CheckedSensor.Touch, _ what: String
  ) throws(CheckEnd) {
    guard touch.status == Status.interrupted else {
      throw .failed(
        "after \(what) it gave \(Status.name(touch.status)), not AC_ERR_INTERRUPTED",
        advice: "hand interrupt on to usb->interrupt; the call that waits then says so")
    }
  }

  /// Interrupts from another thread while the driver waits for a finger.
  /// - Returns: milliseconds until capture and until interrupt returned.
  private func times(
    of sensor: CheckedSensor
  ) throws(CheckEnd) -> (capture: UInt64, interrupt: UInt64) {
    let moments = Guarded((called: UInt64(0), returned: UInt64(0)))
    SystemThread.start(name: "interrupter") {
      // Gives the capture time to begin its wait.
      _ = Guarded(false).wait(nanoseconds: 100_000_000) { $0 ? true : nil }
      let called = CheckClock.real()
      CheckClock.interrupt()
      sensor.interrupt()
      let returned = CheckClock.real()
      moments.update { $0 = (called, returned) }
    }
    let touch = try sensor.capture(10_000, "that is interrupted by another thread")
    let end = CheckClock.real()
    let (called, returned) = moments.wait { $0.returned > 0 ? $0 : nil }
    try Self.expectInterrupted(touch, "an interrupt during capture")
    return (end > called ? (end - called) / 1_000_000 : 0, (returned - called) / 1_000_000)
  }

  /// Interrupts a capture at each of its calls of usb/1.
  private func atEveryCall() throws(CheckEnd) {
    var call = 1
    while call <= 100 {
      guard let device = try loaded.plug() else { return }
      let sensor = try CheckedSensor.openHealthy(loaded, "a sound device")
      let start = device.calls
      device.at(call: start + call) { sensor.interrupt() }
      let place = "interrupted at its call \(call) of usb/1"
      let touch = try sensor.capture(5000, place)
      let isOver = device.calls < start + call
      if !isOver, touch.status != Status.interrupted {
        // It was finished. Then the next one reports the interrupt or gives a frame.
        let next = try sensor.capture(5000, "after one that was \(place)")
        guard next.status == Status.interrupted || next.isSound else {
          throw .failed(
            "capture \(place) gave \(Status.name(touch.status)), the next one \(Status.name(next.status))",
            advice: "an interrupt ends a capture with AC_ERR_INTERRUPTED and nothing else")
        }
      }
      try sensor.close(place, device: device)
      if isOver { return }
      call += 1
    }
  }

  /// Interrupts between two captures, and captures again after that.
  private func afterwards() throws(CheckEnd) {
    let device = try loaded.plug()
    let sensor = try CheckedSensor.openHealthy(loaded, "a sound device")
    _ = try sensor.capture(10_000, "of a sound device")
    sensor.interrupt()
    try Self.expectInterrupted(
      try sensor.capture(10_000, "that was interrupted before it began"),
      "an interrupt between two captures")
    for attempt in 1...3 {
      if try sensor.capture(10_000, "number \(attempt) after an interrupt").isSound {
        return try sensor.close("after an interrupt and a frame", device: device)
      }
    }
    let reason = "after an interrupt no capture gave a frame"
    throw .failed(
      reason,
      advice: "leave the device so that the next capture can begin anew, and forget the interrupt",
      cause: .noFrame(reason))
  }
}

/// On which threads the driver calls usb/1, and whether it leaves threads behind.
struct ThreadCheck {
  let loaded: LoadedTestDriver

  func run() throws(CheckEnd) -> String? {
    let device = try loaded.plug()
    let before = ProcessCounts().threads
    let sensor = try CheckedSensor.openHealthy(loaded, "a sound device")
    _ = try sensor.capture(5000, "of a sound device")
    sensor.interrupt()
    _ = try sensor.capture(5000, "that was interrupted before it began")
    try sensor.close("after captures", device: device)
    let left = ProcessCounts().threads - before
    guard left <= 0 else {
      throw .failed(
        "close left \(left) thread\(left == 1 ? "" : "s") running",
        advice: "end and join them in close(); most drivers need none, since calls may block")
    }
    return nil
  }
}
