import AuthCoreClient
import ClientProtocol
import Glibc
import PluginHosting
import System
import Wire

/// The driver that `--driver` names, found and described, with its options checked.
struct ChosenDriver {
  let driver: InstalledDriver
  let options: [SensorOption]
  /// The option `device`; nil where none was named.
  let device: DeviceArgument?

  /// Whether a finger touches it, or published prints come from it.
  var prints: CoreLocation.Prints {
    driver.description.isSynthetic(withOptions: options.map(\.name)) || device?.isSynthetic == true
      ? .synthetic : .real
  }

  /// What tells the core to use it; the device comes first.
  var message: UseDriver {
    UseDriver(
      driver: driver.path,
      options: (device.map { [$0.option] } ?? [])
        + options.map {
          DriverOption(name: $0.name, value: $0.value, hasDescriptor: $0.kind == .file)
        })
  }

  /// The files that it and its options name, opened here: the core need not be able to.
  func openFiles() throws(Failure) -> DescriptorList {
    try DescriptorList(opening: options, recording: device?.recordingPath)
  }

  /// The device, looked for where one is needed and none was named.
  func source(in installation: Installation) throws(Failure) -> DeviceSource? {
    try driver.source(device) { () throws(Failure) in try ConnectedDevices.list(in: installation) }
  }
}

extension DeviceArgument {
  fileprivate var option: DriverOption {
    DriverOption(
      name: Self.optionName, value: description, hasDescriptor: recordingPath != nil)
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
    let argument = try DriverArgument(parsing: text).resolved(
      relativeTo: environment.workingFolder)
    let driver = try catalogue(.current(isService: false)).driver(argument.nameOrPath)
    let given = try argument.separatingDevice()
    let options = try SensorOption.check(
      given.options, against: driver.description, relativeTo: environment.workingFolder)
    return ChosenDriver(
      driver: driver, options: options,
      device: given.device?.resolved(relativeTo: environment.workingFolder))
  }

  /// The drivers of this installation. What they say about themselves is remembered beside the
  /// core's state, where there is any.
  func catalogue(_ installation: Installation) -> DriverCatalogue {
    DriverCatalogue(installation, cacheFile: cacheFile)
  }

  private var cacheFile: String? {
    if let home = options.home ?? environment.home {
      // In a folder that the core refuses nothing is written either.
      let folder = environment.absolute(home)
      guard !home.isEmpty, CoreLocation.isStateFolder(folder) else { return nil }
      return folder + "/" + StateFolder.descriptions
    }
    guard let folder = environment.cacheFolder else { return nil }
    // Each fails where it is there already, or cannot be made: then nothing is remembered.
    if let slash = folder.lastIndex(of: "/") { _ = unsafe mkdir(String(folder[..<slash]), 0o700) }
    _ = unsafe mkdir(folder, 0o700)
    return folder + "/" + StateFolder.descriptions
  }
}
