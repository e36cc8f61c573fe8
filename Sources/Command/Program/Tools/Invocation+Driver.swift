import CoreClient
import LinuxSystem
import PluginHosting
import Protocol

extension ChosenDriver {
  /// Whether a finger touches it, or published prints come from it.
  var prints: CoreLocation.Prints { isSynthetic ? .synthetic : .real }

  /// What tells the core to use it.
  var message: UseDriver {
    UseDriver(
      driver: driver.path,
      options: passedOptions.map {
        DriverOption(name: $0.name, value: $0.value, hasDescriptor: $0.file != nil)
      })
  }

  /// The device, looked for where one is needed and none was named.
  func source(in installation: Installation) throws(Failure) -> DeviceSource? {
    try driver.source(device) { () throws(Failure) in try ConnectedDevices.list(in: installation) }
  }
}

extension ChosenDriver? {
  /// Without a named driver a sensor of the machine is meant.
  var prints: CoreLocation.Prints { self?.prints ?? .real }
}

extension Invocation {
  /// The driver of `--driver`, else of `AUTHCORE_DRIVER`; nil where none was named.
  func chosenDriver() throws(Failure) -> ChosenDriver? {
    guard let text = options.driver ?? environment.driver else { return nil }
    return try ChosenDriver(
      parsing: text, relativeTo: environment.workingFolder,
      in: catalog(.current(isService: false)))
  }

  /// The drivers of this installation. What they say about themselves is remembered beside the
  /// core's state, where there is any.
  func catalog(_ installation: Installation) -> DriverCatalog {
    DriverCatalog(
      installation, cacheFile: environment.descriptionsFile(home: options.home ?? environment.home))
  }
}
