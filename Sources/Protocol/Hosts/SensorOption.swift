extension SensorOption {
  /// Bytes of a value.
  package static let longestValue = 4096

  func check() throws(DecodeError) {
    guard DriverDescription.isName(name) else { throw .invalidValue(field: "option name") }
  }
}

extension SensorOption.Kind {
  /// For people.
  package var name: String {
    switch self {
    case .text: "text"
    case .number: "number"
    case .file: "file"
    }
  }
}
