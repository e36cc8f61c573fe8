import AuthcoreABI
import LibfprintBridgeDriver
import SensorKit
import Testing

@Suite("The driver that lends libfprint's readers")
struct LibfprintDriverTests {
  @Test("it asks for the wider sandbox, and takes no reader that it was not asked for")
  func description() throws {
    let facts = unsafe try LoadedDriver.built("libfprint").facts
    #expect(unsafe String(cString: facts.name) == "libfprint")
    #expect(unsafe facts.flags == UInt32(AC_SENSOR_OPENS_DEVICES))
    #expect(unsafe facts.usb_match_count == 0)
    #expect(unsafe facts.option_count == 2)
  }

  @Test(
    "options that are none are refused before libfprint is started",
    arguments: [("reader", 0), ("reader", -1), ("emulation", 2)])
  func options(name: String, value: Int64) throws {
    try TestHost.run { _ in
      let failure = try #require(throws: LoadedDriver.Failure.self) {
        _ = try LoadedDriver.built("libfprint").open([.number(name, value)])
      }
      #expect(failure.status == AC_ERR_OPTION)
      #expect(failure.message.contains(name))
    }
  }
}

@Suite("libfprint's errors, and what they are to us")
struct LibfprintProblemTests {
  private typealias Domain = LibfprintProblem.Domain

  @Test(
    "what the person can mend is a retry",
    arguments: [
      (0, .general), (1, .tooShort), (2, .center), (3, .lift), (4, .tooFast), (5, .general),
    ] as [(Int, RetryReason)])
  func retries(code: Int, reason: RetryReason) {
    let problem = LibfprintProblem(domain: Domain.retry, code: code, message: "")
    #expect(problem.retry == reason)
    #expect(!problem.isCancellation)
  }

  @Test(
    "what the device did is a failure with the reason and, where there is one, the way out",
    arguments: [
      (Domain.device, 0x100, .gone, "plug it in"), (Domain.device, 0x101, .tooHot, "cool down"),
      (Domain.device, 1, .unsupported, "Opening: why"), (Domain.device, 4, .busy, "fprintd"),
      (Domain.device, 5, .protocolViolation, "unplug"), (Domain.device, 6, .data, "why"),
      (Domain.device, 99, .inputOutput, "why"), (Domain.usb, 4, .gone, "plug it in"),
      (Domain.usb, 9, .permission, "udev-rules"), (Domain.usb, 10, .busy, "fprintd"),
      (Domain.usb, 2, .timeout, "why"), (Domain.inputOutput, 19, .interrupted, "why"),
      (Domain.inputOutput, 1, .inputOutput, "why"), ("", 0, .inputOutput, "why"),
      ("another-quark", 4, .inputOutput, "why"),
    ] as [(String, Int, SensorFailure.Code, String)])
  func failures(domain: String, code: Int, expected: SensorFailure.Code, words: String) {
    let problem = LibfprintProblem(domain: domain, code: code, message: "why")
    #expect(problem.retry == nil)
    let failure = problem.failure("Opening")
    #expect(failure.code == expected)
    #expect(failure.message.hasPrefix("Opening: why") && failure.message.contains(words))
  }

  @Test(
    "a call that was cancelled says so in either family",
    arguments: [(Domain.inputOutput, 19, true), (Domain.usb, 7, true), (Domain.device, 7, false)])
  func cancellation(domain: String, code: Int, isCancellation: Bool) {
    let problem = LibfprintProblem(domain: domain, code: code, message: "")
    #expect(problem.isCancellation == isCancellation)
  }
}
