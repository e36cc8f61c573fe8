package import Protocol

/// The value of `--driver`: `NAME|PATH[:key=value,…]`. The first ':' splits; `\,` is a
/// comma inside a value.
package struct DriverArgument: Equatable, Sendable {
  package struct Option: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }

  /// A name to look up, or a path, which contains a '/'.
  package let nameOrPath: String
  package let options: [Option]
  package var isPath: Bool { nameOrPath.contains("/") }

  package init(nameOrPath: String, options: [Option]) {
    (self.nameOrPath, self.options) = (nameOrPath, options)
  }

  /// - Throws: `usage`.
  package init(parsing text: String) throws(Failure) {
    let colon = text.firstIndex(of: ":")
    nameOrPath = String(text[..<(colon ?? text.endIndex)])
    guard !nameOrPath.isEmpty else {
      throw Failure(.usage, "--driver names no driver", hint: "authcore driver list shows them")
    }
    var options: [Option] = []
    if let colon {
      for part in Self.split(text[text.index(after: colon)...]) {
        guard let equals = part.firstIndex(of: "="), equals != part.startIndex else {
          throw Failure(
            .usage, "\u{201C}\(part)\u{201D} in --driver is no key=value",
            hint: "write a comma inside a value as \\,")
        }
        let name = String(part[..<equals])
        guard !options.contains(where: { $0.name == name }) else {
          throw Failure(.usage, "The driver option \(name) is given twice")
        }
        options.append(Option(name: name, value: String(part[part.index(after: equals)...])))
      }
    }
    self.options = options
  }

  package func resolved(relativeTo folder: String) -> DriverArgument {
    guard isPath, !nameOrPath.hasPrefix("/") else { return self }
    return DriverArgument(nameOrPath: folder + "/" + nameOrPath, options: options)
  }

  /// Splits at commas without a backslash before them.
  private static func split(_ text: Substring) -> [String] {
    guard !text.isEmpty else { return [] }
    var parts: [String] = [""]
    var rest = text
    while let character = rest.popFirst() {
      if character == "\\", rest.first == "," {
        rest.removeFirst()
        parts[parts.count - 1].append(",")
      } else if character == "," {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}

/// The value of the option `device` in `--driver NAME:device=…`, which the driver never sees.
package enum DeviceArgument: Equatable, Sendable {
  case address(bus: UInt8, address: UInt8)
  case port(String)
  /// Any other text: the path of a recording of USB traffic, and after a ':' which of its devices
  /// is meant, or what an `.ioctl` file does not say: `298d:1010`, `298d:1010:0001` or `1.44`; ""
  /// for whichever the driver handles.
  case recording(path: String, device: String)
  /// `simulated[:settings]`: the model beside the driver, or one of the transport's.
  case simulated(settings: String)

  package static let optionName = "device"

  package static let hint =
    "a device is BUS:ADDRESS (1:4), BUS-PORT (1-2.3), a recording (FILE or FILE:05ba:000a), or simulated"

  /// Reads the value. A recording whose name looks like something else is written with its folder:
  /// `./1:4`.
  /// - Throws: `usage`, listing the forms.
  package init(parsing text: String) throws(Failure) {
    if text == "simulated" || text.hasPrefix("simulated:") {
      self = .simulated(settings: String(text.dropFirst("simulated:".count)))
    } else if let place = Self.numbers(text) {
      self = .address(bus: place.bus, address: place.address)
    } else if Self.isPort(text) {
      self = .port(text)
    } else {
      let (path, device) = Self.separatingRecordedDevice(text)
      guard !path.isEmpty else {
        throw Failure(.usage, "\u{201C}\(text)\u{201D} is no device", hint: Self.hint)
      }
      self = .recording(path: path, device: device)
    }
  }

  /// The path of a recording, and which of its devices is meant (`FILE:05ba:000a`); "" if the text
  /// does not say.
  package static func separatingRecordedDevice(_ text: String) -> (path: String, device: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let last = parts.last?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    // Release, product and vendor, as far as they are there.
    let numbers = parts.dropFirst().reversed().prefix(3).prefix { part in
      part.utf8.count == 4 && part.allSatisfy(\.isHexDigit)
    }
    let isPlace = last.count == 2 && UInt16(last[0]) != nil && UInt8(last[1]) != nil
    let count = numbers.count >= 2 ? numbers.count : isPlace && parts.count > 1 ? 1 : 0
    return (
      parts.dropLast(count).joined(separator: ":"), parts.suffix(count).joined(separator: ":")
    )
  }

  package func resolved(relativeTo folder: String) -> DeviceArgument {
    guard case .recording(let path, let device) = self, !path.hasPrefix("/") else { return self }
    return .recording(path: folder + "/" + path, device: device)
  }

  package var recordingPath: String? {
    if case .recording(let path, _) = self { path } else { nil }
  }

  /// Whether a driver's frames from it are not of a finger on a sensor.
  package var isSynthetic: Bool {
    switch self {
    case .address, .port: false
    case .recording, .simulated: true
    }
  }

  private static func numbers(_ text: String) -> (bus: UInt8, address: UInt8)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let bus = UInt8(parts[0]), let address = UInt8(parts[1]) else {
      return nil
    }
    return (bus, address)
  }

  private static func isPort(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, UInt8(parts[0]) != nil, text.utf8.count < 32 else { return false }
    return parts[1].split(separator: ".", omittingEmptySubsequences: false)
      .allSatisfy { UInt8($0) != nil }
  }
}

extension DeviceArgument: CustomStringConvertible {
  package var description: String {
    switch self {
    case .address(let bus, let address): "\(bus):\(address)"
    case .port(let port): port
    case .recording(let path, let device): path + (device.isEmpty ? "" : ":" + device)
    case .simulated(let settings): "simulated" + (settings.isEmpty ? "" : ":" + settings)
    }
  }
}

extension DriverArgument {
  /// Separates the option `device` from the driver's own.
  /// - Throws: `usage` for a text that names no device.
  package func separatingDevice() throws(Failure) -> (device: DeviceArgument?, options: [Option]) {
    let device = options.first { $0.name == DeviceArgument.optionName }
    return (
      try device.map { (option) throws(Failure) in try DeviceArgument(parsing: option.value) },
      options.filter { $0.name != DeviceArgument.optionName }
    )
  }
}
