import LibfprintBridgeDriver
import SensorKit
import Testing

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
