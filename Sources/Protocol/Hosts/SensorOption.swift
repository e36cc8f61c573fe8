/// An option for a driver, checked against its description.
package struct SensorOption: Equatable, WireField {
  /// What a value is (`ac_option_kind_t`).
  package enum Kind: Int32, WireField {
    case text = 0
    case number = 1
    case file = 2

    /// For people.
    package var name: String {
      switch self {
      case .text: "text"
      case .number: "number"
      case .file: "file"
      }
    }
  }

  /// The key.
  package let name: String
  /// What its value is.
  package let kind: Kind
  /// The value as text; of a file its absolute path.
  package let value: String
  /// The value of a number, otherwise 0.
  package let number: Int64

  /// Bytes of a value.
  package static let longestValue = 4096

  package init(name: String, kind: Kind, value: String, number: Int64 = 0) {
    self.name = name
    self.kind = kind
    self.value = value
    self.number = number
  }

  package func encode(into encoder: inout WireEncoder) { encoder.write(name, kind, value, number) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (name, kind, value, number) = try decoder.read()
    guard DriverDescription.isName(name) else { throw .invalidValue(field: "option name") }
    try decoder.require(value, atMost: Self.longestValue)
  }
}
