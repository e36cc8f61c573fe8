import AuthcoreABI
import Testing

/// Opens a driver with its simulated device and captures a few times, with one fault at one call.
struct FaultSweep {
  struct Run {
    /// nil: it opened.
    var opening: LoadedDriver.Failure?
    var captures: [Result<CapturedFrame, LoadedDriver.Failure>] = []
    /// The longest capture, in milliseconds of the host's clock.
    var longest: UInt64 = 0
    /// The time of opening and all captures, likewise.
    var total: UInt64 = 0

    /// The statuses in order; `AC_OK` for a frame. An opening that failed counts as one.
    var statuses: [Int] {
      opening.map { [$0.status] }
        ?? captures.map { capture in
          switch capture {
          case .success: AC_OK
          case .failure(let failure): failure.status
          }
        }
    }

    /// Whether anything came of the fault.
    var isHit: Bool { statuses.contains { $0 != AC_OK } }

    /// All was well until the device was gone, and from then on every call says so.
    func expectGone(_ call: Int) {
      let gone = statuses.firstIndex(of: AC_ERR_GONE) ?? statuses.count
      #expect(statuses[..<gone].allSatisfy { $0 == AC_OK }, "call \(call): \(statuses)")
      #expect(gone < statuses.count, "call \(call): \(statuses)")
      #expect(statuses[gone...].allSatisfy { $0 == AC_ERR_GONE }, "call \(call): \(statuses)")
    }

    var frames: [CapturedFrame] { captures.compactMap { try? $0.get() } }

    var messages: [String] {
      captures.compactMap { capture in
        guard case .failure(let failure) = capture, failure.status >= 100 else { return nil }
        return failure.message
      }
    }
  }

  let driver: String
  /// Whose device it is; nil: the driver's own.
  var model: String?
  var settings = ""
  var captures = 2
  var milliseconds: UInt32 = 5000

  /// Runs without a fault, or with one. At `alarm` milliseconds after opening, the host interrupts.
  func run(_ fault: String = "", alarm: UInt64? = nil) throws -> Run {
    let text = [settings, fault.isEmpty ? "" : "fault=\(fault)"].filter { !$0.isEmpty }
    return try TestHost.run { host in
      let device = try LoadedTransport.simulated(
        model: model ?? driver, text.joined(separator: ","))
      defer { withExtendedLifetime(device) {} }
      var run = Run()
      let beginning = host.clock.now
      do {
        let sensor = try LoadedDriver.built(driver).open()
        if let alarm {
          // Weak: an alarm that never rings must not keep the sensor open longer than its device.
          host.clock.after(milliseconds: alarm) { [weak sensor] in sensor?.interrupt() }
        }
        for _ in 0..<captures {
          let start = host.clock.now
          run.captures.append(sensor.capture(milliseconds: milliseconds))
          run.longest = max(run.longest, (host.clock.now - start) / 1_000_000)
        }
      } catch let failure as LoadedDriver.Failure {
        run.opening = failure
      }
      run.total = (host.clock.now - beginning) / 1_000_000
      return run
    }
  }

  /// Runs with the fault at the first, second, … call.
  /// - Returns: how many runs it hit.
  @discardableResult
  func atEveryCall(
    through last: Int, _ fault: String, alarm: UInt64? = nil, _ check: (Run, Int) throws -> Void
  ) throws -> Int {
    var hits = 0
    for call in 1...last {
      let run = try run("\(fault)@\(call)", alarm: alarm)
      try check(run, call)
      if run.isHit { hits += 1 }
    }
    return hits
  }

  /// How many calls a run without a fault makes, closing aside.
  func callCount() throws -> Int {
    var (low, high) = (0, 100_000)
    while high - low > 1 {
      let middle = (low + high) / 2
      if try run("gone@\(middle)").statuses.contains(AC_ERR_GONE) {
        low = middle
      } else {
        high = middle
      }
    }
    return low
  }
}
