package import Protocol

/// What stands behind a driver's `usb/1`.
package enum DeviceSource: Equatable, Sendable {
  /// A device of this machine.
  case usb(USBPresence)
  /// A recording of USB traffic, and which of its devices it may be (docs/recordings.md).
  case recording(path: String, text: String)
  /// A device model.
  case simulated(settings: String)

  /// The transport's name, as in `libauthcore-transport-NAME.so`.
  var transportName: String {
    switch self {
    case .usb: "usb"
    case .recording: "recording"
    case .simulated: "simulated"
    }
  }

  /// For `status` and messages.
  package var text: String {
    switch self {
    case .usb(let device): device.text
    case .recording(let path, _): "recording \(path)"
    case .simulated: "simulated"
    }
  }

  /// Whether what a driver delivers from it is no finger on a sensor.
  package var isSynthetic: Bool {
    if case .usb = self { false } else { true }
  }
}

extension InstalledDriver {
  /// Whether it reaches its device through `usb/1`.
  package var needsDevice: Bool {
    !description.usbMatches.isEmpty && !description.flags.contains(.opensDevices)
  }

  /// Whether a connected device is one of those it handles.
  package func handles(_ device: USBPresence) -> Bool {
    needsDevice && description.usbMatches.contains { $0.accepts(device) }
  }

  /// The device for this driver.
  /// - Parameters:
  ///   - argument: what was asked for; nil: any that fits, external ones before built-in ones.
  ///   - connected: looks up what is connected; asked only where a device of this machine is meant.
  /// - Returns: nil for a driver that needs none.
  /// - Throws: `usage` for a driver that takes no device, `biometryNotAvailable` where none fits.
  package func source(
    _ argument: DeviceArgument?, connected: () throws(Failure) -> [USBPresence]
  ) throws(Failure) -> DeviceSource? {
    guard needsDevice else {
      guard argument == nil else {
        throw Failure(
          .usage, "The driver \(description.name) takes no device",
          hint: "leave out device=; only drivers of USB readers take one")
      }
      return nil
    }
    switch argument {
    case .recording(let path, let device):
      let mine = description.usbMatches.map(\.text).joined(separator: ",")
      return .recording(path: path, text: device.isEmpty ? mine : device)
    case .simulated(let settings): return .simulated(settings: settings)
    case .address, .port, nil: break
    }
    let devices = try connected()
    let asked = devices.filter { device in
      switch argument {
      case .address(let bus, let address): device.bus == bus && device.address == address
      case .port(let port): device.port == port
      default: handles(device)
      }
    }
    guard let device = asked.first(where: { $0.place != .builtIn }) ?? asked.first else {
      throw absence(of: argument, among: devices)
    }
    guard handles(device) else {
      throw Failure(
        .biometryNotAvailable, "The driver \(description.name) does not handle \(device.text)",
        hint: "it handles " + usbList)
    }
    return .usb(device)
  }

  private func absence(of argument: DeviceArgument?, among devices: [USBPresence]) -> Failure {
    let mine = devices.filter(handles).map(\.text)
    return Failure(
      .biometryNotAvailable,
      argument.map { "No device is connected at \($0)" }
        ?? "No reader of the driver \(description.name) is connected",
      hint: mine.isEmpty
        ? "plug one in: \(usbList)" : "connected: " + mine.joined(separator: ", "))
  }

  private var usbList: String {
    description.usbMatches.map(\.text).joined(separator: ", ")
  }
}
