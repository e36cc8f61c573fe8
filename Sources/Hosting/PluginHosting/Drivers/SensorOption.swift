package import Protocol

extension SensorOption {
  /// Checks the options of a command.
  /// - Parameters:
  ///   - given: as they were written.
  ///   - description: of the driver.
  ///   - folder: what relative paths of files are relative to; absolute.
  /// - Returns: the options in their order.
  /// - Throws: `usage`: for an unknown option with a list of the known ones.
  package static func check(
    _ given: [DriverArgument.Option], against description: DriverDescription,
    relativeTo folder: String
  ) throws(Failure) -> [SensorOption] {
    var options: [SensorOption] = []
    for option in given {
      guard let known = description.options.first(where: { $0.name == option.name }) else {
        let names = description.options.map(\.name).joined(separator: ", ")
        throw Failure(
          .usage, "The driver \(description.name) has no option \(option.name)",
          hint: names.isEmpty ? "it has no options" : "its options: \(names)")
      }
      options.append(try SensorOption(option, kind: known.kind, relativeTo: folder))
    }
    return options
  }

  private init(
    _ option: DriverArgument.Option, kind: Kind, relativeTo folder: String
  ) throws(Failure) {
    var value = option.value
    var number: Int64 = 0
    switch kind {
    case .text: break
    case .number:
      guard let parsed = Self.number(option.value) else {
        throw Failure(
          .usage, "The option \(option.name) is a number; \u{201C}\(option.value)\u{201D} is none",
          hint: "write it as 500 or 0x1f4")
      }
      number = parsed
    case .file:
      guard !option.value.isEmpty else {
        throw Failure(.usage, "The option \(option.name) names no file")
      }
      value = option.value.hasPrefix("/") ? option.value : folder + "/" + option.value
    }
    guard value.utf8.count <= Self.longestValue, !value.utf8.contains(0) else {
      throw Failure(.usage, "The value of the option \(option.name) is too long")
    }
    self.init(name: option.name, kind: kind, value: value, number: number)
  }

  /// A decimal number, or a hexadecimal one after `0x`.
  static func number(_ text: String) -> Int64? {
    let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
    return isHexadecimal ? Int64(text.dropFirst(2), radix: 16) : Int64(text)
  }
}
