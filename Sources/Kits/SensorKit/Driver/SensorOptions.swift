internal import AuthcoreABI

/// The options that a driver was opened with. The host has checked them against its description.
public struct SensorOptions: ~Copyable {
  public struct Value: Sendable {
    let name: String
    /// The value as it was written.
    public let text: String
    /// The value of a ``SensorDescription/Option/Kind/number`` option, or 0.
    public let number: Int64
    /// A ``SensorDescription/Option/Kind/file`` option, open for reading, or -1. The host owns it;
    /// it may be used until the driver's `init` returns.
    public let fileDescriptor: Int32

    /// For tests, which make a driver without a host.
    public init(_ name: String, text: String, number: Int64 = 0, fileDescriptor: Int32 = -1) {
      (self.name, self.text) = (name, text)
      (self.number, self.fileDescriptor) = (number, fileDescriptor)
    }
  }

  private let values: [Value]

  /// For tests, which make a driver without a host.
  public init(_ values: [Value] = []) {
    self.values = values
  }

  /// Copies what the host passed to `open`.
  init(_ options: UnsafePointer<ac_option_t>?, count: UInt32) throws(SensorFailure) {
    guard count <= 64, unsafe options != nil || count == 0 else {
      throw SensorFailure(
        .argument, "The host passed \(count) options in a way that is not possible")
    }
    values = (0..<Int(count)).compactMap { index in
      guard
        let option = unsafe options?[index], let name = unsafe option.name,
        let value = unsafe option.value
      else { return nil }
      return unsafe Value(
        String(cString: name), text: String(cString: value), number: option.number,
        fileDescriptor: option.file_descriptor)
    }
  }

  /// The value of an option, or nil if it was not given. The last one counts.
  public subscript(name: String) -> Value? {
    values.last { $0.name == name }
  }

  /// Reads an option of kind number as a switch: absent or 0 is off, 1 is on.
  ///
  /// - Throws: ``SensorFailure/Code/option`` on any other number.
  public func isOn(_ name: String) throws(SensorFailure) -> Bool {
    guard let value = self[name] else { return false }
    guard 0...1 ~= value.number else {
      throw SensorFailure(
        .option, "The option \(name) is 0 or 1, not \"\(value.text)\"")
    }
    return value.number == 1
  }
}
