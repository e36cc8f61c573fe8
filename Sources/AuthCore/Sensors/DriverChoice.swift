import PluginHosting

/// The driver that a client named, with its options checked.
struct DriverChoice: Sendable {
  let driver: InstalledDriver
  let options: [SensorOption]
  /// One for each file option.
  let files: PassedFiles

  /// Whether what it delivers counts as no real finger.
  let isSynthetic: Bool

  /// Describes a choice whose options have been checked against the driver's description.
  init(driver: InstalledDriver, options: [SensorOption], files: PassedFiles) {
    self.driver = driver
    self.options = options
    self.files = files
    isSynthetic = driver.description.isSynthetic(withOptions: options.map(\.name))
  }
}
