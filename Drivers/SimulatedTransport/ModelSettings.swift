internal import SensorKit

/// The source's text, `press:touches=2,fault=gone@7`: a model's name and settings for it.
struct ModelSettings {
  /// The model's name.
  let model: String
  /// What is to go wrong.
  let faults: [Fault]
  private var values: [String: Int] = [:]

  /// The settings that every model knows, for messages.
  static let names = ["touches", "delay", "verdict", "chatter"]

  init(_ text: String) throws(SensorFailure) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    model = String(parts[0])
    var faults: [Fault] = []
    let settings = parts.count > 1 ? parts[1] : ""
    for setting in settings.split(separator: ",") {
      let pair = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else {
        throw SensorFailure(.option, "\"\(setting)\" is not of the form name=value")
      }
      if pair[0] == "fault" {
        faults.append(try Fault(pair[1]))
        continue
      }
      guard Self.names.contains(String(pair[0])) else {
        throw SensorFailure(
          .option,
          "A simulated device has no setting \"\(pair[0])\", only fault, "
            + Self.names.joined(separator: ", "))
      }
      guard let value = Int(pair[1]), 0...1_000_000 ~= value else {
        throw SensorFailure(.option, "\(pair[0]) takes a number up to 1000000, not \"\(pair[1])\"")
      }
      values[String(pair[0])] = value
    }
    self.faults = faults
  }

  /// A setting's value.
  subscript(name: String, default value: Int) -> Int {
    values[name] ?? value
  }
}
