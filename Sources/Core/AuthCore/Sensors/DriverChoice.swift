import LinuxSystem
import PluginHosting
import Protocol

/// The driver that a client named, with its options checked, or the one of a reader that is
/// connected.
struct DriverChoice: Sendable {
  let driver: InstalledDriver
  let options: [SensorOption]
  /// The device that the client named; nil: any that fits.
  let device: DeviceArgument?
  /// The recording of such a device, then one for each file option.
  let files: DescriptorList

  /// Describes a choice whose options have been checked against the driver's description.
  init(
    driver: InstalledDriver, options: [SensorOption] = [], device: DeviceArgument? = nil,
    files: DescriptorList = DescriptorList()
  ) {
    self.driver = driver
    self.options = options
    self.device = device
    self.files = files
  }

  /// Whether what it delivers counts as no real finger.
  private var isSynthetic: Bool {
    driver.description.isSynthetic(withOptions: options.map(\.name))
      || device?.isSynthetic == true
  }

  /// What the enclave is told of its frames. Only the file that lies where the replay driver of
  /// `installation` belongs may repeat them, whatever a driver says of itself.
  func frameSource(in installation: Installation) -> FrameSource {
    let isReplay = installation.isReplayDriver(driver)
    return FrameSource(
      isSynthetic ? .synthetic : isReplay ? .tape : .reader, mayRepeat: isReplay)
  }
}

/// A choice and the device it comes to at this moment.
struct SelectedSensor: Sendable {
  let choice: DriverChoice
  /// nil for a driver that reaches none through `usb/1`.
  let source: DeviceSource?

  /// Whether its touches are played from a tape or a recording: nobody has to be there for them.
  var isPlayed: Bool { device == nil }

  /// The device of this machine.
  var device: USBPresence? {
    if case .usb(let device) = source { device } else { nil }
  }
}
