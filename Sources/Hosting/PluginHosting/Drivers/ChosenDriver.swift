import CSystemCalls
import Glibc
package import LinuxSystem
package import Protocol

/// The driver that `--driver` names, found and described, with its options checked.
package struct ChosenDriver: Sendable {
  package let driver: InstalledDriver
  /// Those of the driver itself.
  package let options: [SensorOption]
  /// The option `device`; nil where none was named.
  package let device: DeviceArgument?

  /// One of the options, the device first, as the core is told it.
  package struct PassedOption: Sendable {
    /// The key.
    package let name: String
    /// A path is absolute.
    package let value: String
    /// What the core is given open; nil: nothing.
    package let file: String?
  }

  /// Finds and checks what was named.
  /// - Parameters:
  ///   - text: `NAME|PATH[:key=value,…]`.
  ///   - folder: what relative paths are relative to; absolute.
  ///   - catalog: the drivers there are.
  /// - Throws: `usage`, `driverNotFound` and what loading the driver fails with.
  package init(
    parsing text: String, relativeTo folder: String, in catalog: DriverCatalog
  ) throws(Failure) {
    let argument = try DriverArgument(parsing: text).resolved(relativeTo: folder)
    driver = try catalog.driver(argument.nameOrPath)
    let given = try argument.separatingDevice()
    options = try SensorOption.check(
      given.options, against: driver.description, relativeTo: folder)
    device = given.device?.resolved(relativeTo: folder)
  }

  /// Whether what it delivers is no finger on a sensor: published prints, for instance.
  package var isSynthetic: Bool {
    driver.description.isSynthetic(withOptions: options.map(\.name)) || device?.isSynthetic == true
  }

  /// What the core is told.
  package var passedOptions: [PassedOption] {
    let device = device.map { device in
      PassedOption(
        name: DeviceArgument.optionName, value: device.description, file: device.recordingPath)
    }
    return (device.map { [$0] } ?? [])
      + options.map {
        PassedOption(name: $0.name, value: $0.value, file: $0.kind == .file ? $0.value : nil)
      }
  }

  /// The files that it and its options name, opened here: the core need not be able to.
  package func openFiles() throws(Failure) -> DescriptorList {
    try DescriptorList(opening: options, recording: device?.recordingPath)
  }
}

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

extension DescriptorList {
  /// Room beside them for a device and a file for its traffic.
  private static let mostOptionFiles = MessageStream.maximumDescriptors - 2

  /// Opens for reading a recording of a device and then, in their order, the file options among
  /// `options`, at most four.
  /// - Throws: `usage`, naming the file.
  package convenience init(
    opening options: [SensorOption], recording: String? = nil
  ) throws(Failure) {
    let named = options.filter { $0.kind == .file }.map { ($0.name, $0.value) }
    let files = (recording.map { [(DeviceArgument.optionName, $0)] } ?? []) + named
    guard named.count <= Self.mostOptionFiles else {
      throw Failure(.usage, "At most \(Self.mostOptionFiles) files can be given")
    }
    var numbers: [Int32] = []
    for (name, path) in files {
      let number = unsafe ac_open_at(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0)
      guard number >= 0 else {
        let reason = SystemCallError("open").reason
        for number in numbers { close(number) }
        throw Failure(
          .usage, "Cannot open \(path): \(reason)",
          hint: name == DeviceArgument.optionName
            ? DeviceArgument.hint : "check the path given as \(name)=")
      }
      numbers.append(number)
    }
    self.init(owning: numbers)
  }
}
