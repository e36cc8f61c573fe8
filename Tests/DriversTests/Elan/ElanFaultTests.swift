import AuthcoreABI
import Testing

/// The driver as built, against a simulated reader with a fault at each of its calls in turn.
@Suite("X3: the Elan driver survives what goes wrong, wherever it does")
struct ElanFaultTests {
  private enum Outcome {
    case opening(status: Int)
    case captures([Int])
  }

  private let driver: LoadedDriver

  init() throws {
    driver = try LoadedDriver.built("elan")
  }

  /// Opening (7 calls) and two swipes of 8 frames with a calibration before the first.
  private static let settings = "width=32,height=24,speed=4,frames=8,running=2"
  private static let calls = 7 + 2 * (6 + 1 + 8 * 6 + 3 + 1) + 6 + 3 * 3

  @Test("unplugged at any call, it says so, and says so again")
  func gone() throws {
    let hits = try sweep("gone") { outcome, call in
      switch outcome {
      case .opening(let status): #expect(status == AC_ERR_GONE, "call \(call)")
      case .captures(let statuses):
        let gone = statuses.firstIndex(of: AC_ERR_GONE) ?? statuses.count
        #expect(statuses[..<gone].allSatisfy { $0 == AC_OK }, "call \(call): \(statuses)")
        #expect(statuses[gone...].allSatisfy { $0 == AC_ERR_GONE }, "call \(call): \(statuses)")
      }
    }
    #expect(hits == Self.calls)
  }

  @Test(
    "halted endpoints, cut or wrong bytes and slow answers spoil one capture at most, which says how",
    arguments: [
      ("stall", [AC_ERR_STALL, AC_RETRY_GENERAL], 100),
      ("short", [AC_ERR_PROTOCOL, AC_RETRY_TOO_SHORT], 100),
      ("garbage", [AC_ERR_PROTOCOL], 60), ("nak", [AC_RETRY_TOO_SHORT], 10),
    ])
  func passing(fault: String, allowed: [Int], least: Int) throws {
    let hits = try sweep(fault) { outcome, call in
      switch outcome {
      case .opening(let status): #expect(allowed.contains(status), "call \(call): \(status)")
      case .captures(let statuses):
        let spoilt = statuses.filter { $0 != AC_OK }
        #expect(spoilt.allSatisfy(allowed.contains), "call \(call): \(statuses)")
        // A reader whose size was read wrongly stays unreadable.
        #expect(spoilt.count <= 1 || fault == "garbage" && call <= 7, "call \(call): \(statuses)")
      }
    }
    #expect(hits >= least)
  }

  @Test("a reader that falls silent at any call is a failure in time, never a hang")
  func silent() throws {
    let hits = try sweep("silent") { outcome, call in
      switch outcome {
      case .opening(let status): #expect(status == AC_ERR_IO, "call \(call): \(status)")
      case .captures(let statuses):
        let allowed = [AC_OK, AC_ERR_IO, AC_ERR_TIMEOUT, AC_RETRY_TOO_SHORT]
        #expect(statuses.allSatisfy(allowed.contains), "call \(call): \(statuses)")
      }
    }
    #expect(hits >= Self.calls - 10)
  }

  @Test("interrupted in any wait, one capture reports it within 100 ms and the next ones work")
  func interrupt() throws {
    // Without calibration and delay no time passes before the first slow answer, in which the host interrupts.
    for call in 8...(7 + 6 + 1 + 8 * 6 + 3) {
      try TestHost.run { host in
        let device = try LoadedTransport.simulated(
          model: "elan", "width=32,height=24,speed=4,frames=8,fault=nak@\(call)")
        defer { withExtendedLifetime(device) {} }
        let sensor = try driver.open()
        let start = host.clock.now
        host.clock.after(milliseconds: 10) { sensor.interrupt() }
        #expect(sensor.captureStatus() == AC_ERR_INTERRUPTED, "call \(call)")
        #expect(host.clock.now - start <= 110_000_000, "call \(call)")
        let statuses = (1...2).map { _ in sensor.captureStatus(milliseconds: 5000) }
        #expect(statuses == [AC_OK, AC_OK], "call \(call): \(statuses)")
      }
    }
  }

  /// Opens and captures three times with `fault` at the first, second, … call.
  ///
  /// - Returns: At how many calls the fault showed.
  private func sweep(_ fault: String, _ check: (Outcome, Int) -> Void) throws -> Int {
    var hits = 0
    for call in 1...Self.calls {
      let outcome = try TestHost.run { host in
        let device = try LoadedTransport.simulated(
          model: "elan", Self.settings + ",fault=\(fault)@\(call)")
        defer { withExtendedLifetime(device) {} }
        let start = host.clock.now
        do {
          let sensor = try driver.open()
          let statuses = (1...3).map { _ in sensor.captureStatus(milliseconds: 5000) }
          // A capture may go on for a swipe after its time.
          #expect(host.clock.now - start < 3 * 10_000_000_000, "call \(call)")
          return Outcome.captures(statuses)
        } catch let failure as LoadedDriver.Failure {
          return Outcome.opening(status: failure.status)
        }
      }
      check(outcome, call)
      switch outcome {
      case .opening: hits += 1
      case .captures(let statuses): hits += statuses.allSatisfy { $0 == AC_OK } ? 0 : 1
      }
    }
    return hits
  }
}
