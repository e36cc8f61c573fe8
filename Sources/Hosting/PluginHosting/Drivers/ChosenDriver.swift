import CSystemCalls
import Glibc
package import LinuxSystem
package import Protocol

package struct ChosenDriver: Sendable {
  package let driver: InstalledDriver
  /// The driver's own options.
  package let options: [SensorOption]
  package let device: DeviceArgument?

  /// An option in the form for the core; the device is the first.
  package struct PassedOption: Sendable {
    package let name: String
    /// Paths are absolute.
    package let value: String
    /// The file that is opened for the core; nil if none.
    package let file: String?
  }

  /// Finds and checks what was named.
  /// - Parameters:
  ///   - text: `NAME|PATH[:key=value,…]`.
  ///   - folder: the base of relative paths; absolute.
  ///   - catalog: the known drivers.
  /// - Throws: `usage`, `driverNotFound` and what loading the driver fails with.
  package init(
    parsing text: String, relativeTo folder: String, in catalog: DriverCatalog
  ) throws(Failure) {
    let argument = try DriverArgument(parsing: text).resolved(relativeTo: folder)
    driver = try catalog.driver(argument.nameOrPath)
    let given = try argument.separatingDevice()
    options = try SensorOption.check(given.options, against: driver.description, relativeTo: folder)
    device = given.device?.resolved(relativeTo: folder)
  }

  /// Whether its frames are not of a finger on a sensor, but for example published prints.
  package var isSynthetic: Bool {
    driver.description.isSynthetic(withOptions: options.map(\.name)) || device?.isSynthetic == true
  }

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

  /// Opens the files that it and its options name, which the core may not be able to.
  package func openFiles() throws(Failure) -> DescriptorList {
    try DescriptorList(opening: options, recording: device?.recordingPath)
  }
}

extension SensorOption {
  /// Checks the options of a command.
  /// - Parameters:
  ///   - given: as they were written.
  ///   - description: of the driver.
  ///   - folder: the base of relative paths; absolute.
  /// - Returns: the options in their order.
  /// - Throws: `usage`, listing the known options if one is unknown.
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
  /// Leaves room for a device and a file for its traffic.
  private static let mostOptionFiles = MessageStream.maximumDescriptors - 2

  /// Opens for reading a recording of a device and then, in order, the file options among
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
