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
