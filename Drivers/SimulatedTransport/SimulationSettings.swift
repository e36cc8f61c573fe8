internal import SensorKit

/// The source's text, `press:touches=2,fault=gone@7`: a model's name, settings for it, and what is to go wrong. The name may
/// be left out, with its colon, where a model was loaded beside the transport.
struct SimulationSettings {
  /// The built-in model's name; empty: the loaded one.
  let model: String
  /// What is to go wrong.
  let faults: [Fault]
  /// What the model is told.
  let settings: String

  init(_ text: String) throws(SensorFailure) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let isNamed = parts.count > 1 || !text.contains("=")
    model = isNamed ? String(parts[0]) : ""
    var faults: [Fault] = []
    var settings: [Substring] = []
    for setting in (isNamed ? parts.dropFirst().first ?? "" : text[...]).split(separator: ",") {
      if setting.hasPrefix("fault=") {
        faults.append(try Fault(setting.dropFirst(6)))
      } else {
        settings.append(setting)
      }
    }
    self.faults = faults
    self.settings = settings.joined(separator: ",")
  }
}
