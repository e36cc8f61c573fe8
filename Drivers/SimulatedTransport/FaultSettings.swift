internal import SensorKit

/// The source's text, `touches=2,fault=gone@7`: what is to go wrong, and settings for the model.
struct FaultSettings {
  /// What is to go wrong.
  let faults: [Fault]
  /// What the model is told.
  let model: String

  init(_ text: String) throws(SensorFailure) {
    var faults: [Fault] = []
    var settings: [Substring] = []
    for setting in text.split(separator: ",") {
      if setting.hasPrefix("fault=") {
        faults.append(try Fault(setting.dropFirst(6)))
      } else {
        settings.append(setting)
      }
    }
    self.faults = faults
    model = settings.joined(separator: ",")
  }
}
