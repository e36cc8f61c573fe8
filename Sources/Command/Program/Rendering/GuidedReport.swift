import CoreClient
import Protocol

/// The report of the guided session: what is loaded, then a line for each step.
final class GuidedReport {
  private let output: Output
  private var json: [JSONValue.Member] = []
  private var steps: [JSONValue] = []

  init(_ output: Output) { self.output = output }

  /// Names the driver and the engines.
  func begin(_ status: CoreStatus) {
    if case .object(let members) = status.json {
      json = members.filter { ["home", "driver", "engines", "sensor"].contains($0.name) }
    }
    var facts = Facts()
    facts.add(
      "driver",
      [status.driverName ?? "none", status.driverPath ?? ""].joined(separator: "  ").printable)
    facts.add("enclave", status.enclavePath.printable)
    facts.add("keychain", status.keychainPath.printable)
    facts.add("policy", status.policyPath.printable)
    facts.add("state", status.home.printable)
    for line in facts.lines(output.paint) { output.line(line) }
    output.line("")
  }

  /// Shows the passcode that was made up, directly from locked memory.
  func tell(madeUp passcode: borrowing SecretBytes) {
    output.say("The passcode is ", passcode.bytes, ".")
  }

  func step(_ name: String, _ outcome: String, _ time: Duration) {
    let paint = output.paint
    let lines = paint.hanging(
      outcome + paint("  " + time.text, .faint), behind: paint("ok", .good) + "  ")
    for line in lines { output.line(line) }
    steps.append(
      .object([
        "name": .string(name), "result": .string(outcome),
        "seconds": .rounded(time.seconds, decimals: 3),
      ]))
  }

  func end() {
    json.append(.init(name: "steps", value: .array(steps)))
    output.result(
      .object(json), ["", "It works. Keep a secret of your own: authcore item add --help"])
  }
}

extension Duration {
  var seconds: Double { self / .seconds(1) }

  /// `85 ms`, `1.4 s`.
  var text: String {
    let milliseconds = self / .milliseconds(1)
    guard milliseconds >= 1000 else { return "\(Int(milliseconds.rounded())) ms" }
    return "\((milliseconds / 100).rounded() / 10) s"
  }
}
