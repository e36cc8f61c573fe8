import Glibc
import LinuxSystem
import PluginHosting
import Protocol

/// The driver that a client named, with its options checked, or that of a connected reader.
struct DriverChoice: Sendable {
  let driver: InstalledDriver
  /// Whether it is the replay driver of this program's installation, by its path.
  let isReplay: Bool
  var options: [SensorOption] = []
  /// The device that the client named; nil for any that fits.
  var device: DeviceArgument?
  /// The recording of that device, then one for each file option.
  var files = DescriptorList()
  /// Where the client reads the driver's log.
  var log: DriverLog?

  private var isSynthetic: Bool {
    driver.description.isSynthetic(withOptions: options.map(\.name)) || device?.isSynthetic == true
  }

  /// Whether its touches are played, without a person: by what was loaded, whatever a driver says of
  /// itself or leaves out. Everything else is a reader that somebody touches.
  var isPlayed: Bool { isReplay || device?.isSynthetic == true }

  /// What the enclave is told about its frames. Only the replay driver may repeat them. A driver's
  /// own word that they are synthetic only restricts what they match.
  var frameSource: FrameSource {
    FrameSource(isSynthetic ? .synthetic : isReplay ? .tape : .reader, mayRepeat: isReplay)
  }
}

/// The descriptor to which a client has the log of its driver written.
final class DriverLog: Sendable {
  private let file: Descriptor

  init(_ file: consuming Descriptor) { self.file = file }

  /// Writes one line, or loses it: the core does not wait for a client that does not read.
  func write(_ level: PluginLogLevel, _ text: String) {
    var poll = pollfd(fd: file.number, events: Int16(POLLOUT), revents: 0)
    guard unsafe Glibc.poll(&poll, 1, 0) == 1, poll.revents & Int16(POLLOUT) != 0 else { return }
    let name = "\(level)"
    let gap = String(repeating: " ", count: max(1, 9 - name.utf8.count))
    // A pipe that is ready takes PIPE_BUF bytes at once.
    let line = (name + gap + text.withoutSteering).utf8.prefix(Int(PIPE_BUF) - 1)
    _ = DescriptorBytes.write((Array(line) + [0x0A]).span, to: file.number)
  }
}

/// What only one client uses at a time.
enum TouchedReader: Equatable, Sendable {
  case usb(USBPresence)
  /// Whatever a driver finds that looks for devices itself.
  case ofDriver(path: String)

  var text: String {
    switch self {
    case .usb(let device): device.text
    case .ofDriver(let path): "of \(path)"
    }
  }
}

/// A choice and the device that it means at this moment.
struct SelectedSensor: Sendable {
  let choice: DriverChoice
  /// nil for a driver that does not use `usb/1`.
  let source: DeviceSource?

  /// The reader that a person touches; nil if touches are played.
  var reader: TouchedReader? {
    choice.isPlayed ? nil : device.map { .usb($0) } ?? .ofDriver(path: choice.driver.path)
  }

  var isPlayed: Bool { choice.isPlayed }

  /// Whether it compares prints itself.
  var matchesOnChip: Bool { choice.driver.description.flags.contains(.matchesOnChip) }

  /// What the enclave is told of a sensor that compares prints itself. Its driver is known by its
  /// file, because another one can have any name. What was not seen to be built in can be unplugged.
  func chip(_ summary: ChipSummary, serial: String) throws(Failure) -> ChipDevice {
    func identity(_ device: String) throws(Failure) -> String {
      try ApplicationNames.digest(Array("\(choice.driver.path)\0\(device)".utf8))
    }
    guard let device else {
      let identity = try identity(source?.text ?? "")
      return ChipDevice(
        summary: summary, identity: identity, instance: identity, pluggedIn: 0, isBuiltIn: false)
    }
    let match = DriverDescription.USBMatch(vendor: device.vendor, product: device.product)
    // The kernel makes this folder anew, with another inode, each time a device is plugged in. The
    // times of the device's node change with sessions too, whose users get access to it.
    var status = stat()
    let path = "/sys/bus/usb/devices/\(device.port)"
    let inode = unsafe stat(path, &status) == 0 ? status.st_ino : 0
    return ChipDevice(
      summary: summary, identity: try identity("\(match.text) at \(device.port) \(serial)"),
      instance: "\(device.bus).\(device.address) \(inode)", pluggedIn: Self.plugTime(of: path),
      isBuiltIn: device.place == .builtIn)
  }

  /// The kernel does not count the time that the machine slept, so the time may be too late. It is
  /// the present time if the kernel does not tell.
  private static func plugTime(of folder: String) -> UInt64 {
    let now = BootClock.system.now()
    let text = SmallFile.contents(of: folder + "/power/connected_duration") ?? []
    let milliseconds = UInt64(String(decoding: text.dropLast(), as: UTF8.self)) ?? 0
    return now - min(now / 1_000_000, milliseconds) * 1_000_000
  }

  var device: USBPresence? {
    if case .usb(let device) = source { device } else { nil }
  }
}

extension DriverChoice {
  /// What a client named, with its options checked. Opens nothing.
  init(
    _ request: UseDriver, _ files: DescriptorList, log: DriverLog?, in core: Core
  ) throws(Failure) {
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
    let recording = try Self.recording(of: given.device, request)
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
    self.init(
      driver: driver, isReplay: core.isReplayDriver(driver), options: options, device: given.device,
      files: files, log: log)
  }

  /// How many descriptors come with the device: 1 for a recording, which the client opens and which
  /// comes first.
  private static func recording(
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
