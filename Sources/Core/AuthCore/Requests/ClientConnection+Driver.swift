import LinuxSystem
import PluginHosting
import Protocol

extension ClientConnection {
  /// Looks up the driver a client named and checks its options; opens nothing.
  func useDriver(
    _ identifier: UInt32, _ message: inout ReceivedMessage
  ) -> RequestOutcome {
    .ofMessage(&message, identifier) { (request: UseDriver, descriptors) throws(Failure) in
      sensors.choose(try choice(request, DescriptorList(taking: &descriptors)))
    }
  }

  private func choice(
    _ request: UseDriver, _ files: DescriptorList
  ) throws(Failure) -> DriverChoice {
    guard !core.isService else {
      throw Failure(
        .refusedByService, "the service chooses its drivers itself",
        hint: "use --home DIR for a core of your own")
    }
    let driver = try core.findDriver(request.driver)
    let given = try DriverArgument(
      nameOrPath: request.driver,
      options: request.options.map { DriverArgument.Option(name: $0.name, value: $0.value) }
    ).separatingDevice()
    let recording = try recording(of: given.device, request)
    let options = try SensorOption.check(
      given.options, against: driver.description, relativeTo: "/")
    let passedOptions = request.options.filter { $0.name != DeviceArgument.optionName }
    for (option, passed) in zip(options, passedOptions) {
      guard (option.kind == .file) == passed.hasDescriptor else {
        throw Failure(
          .usage,
          "the option \(option.name) of the driver \(driver.description.name) "
            + (passed.hasDescriptor ? "takes no file" : "needs an open file"))
      }
    }
    guard options.count(where: { $0.kind == .file }) + recording == files.numbers.count else {
      throw Failure(.usage, "the files of the driver's options did not arrive")
    }
    return DriverChoice(driver: driver, options: options, device: given.device, files: files)
  }

  /// How many descriptors come with the device: 1 for a recording, which is opened by the client
  /// and comes first.
  private func recording(
    of device: DeviceArgument?, _ request: UseDriver
  ) throws(Failure) -> Int {
    guard device?.recordingPath != nil else { return 0 }
    guard let first = request.options.first, first.name == DeviceArgument.optionName,
      first.hasDescriptor
    else {
      throw Failure(.usage, "a recording of a device has to be opened by the client")
    }
    return 1
  }
}
