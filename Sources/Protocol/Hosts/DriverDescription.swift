/// What a driver says about itself (`ac_sensor_description_t`), checked and copied.
package struct DriverDescription: Equatable, Sendable {
  /// How a finger meets the sensor.
  package enum ScanType: Int32, Sendable { case press = 0, swipe = 1 }

  /// What a host has to know before it runs the driver (`AC_SENSOR_…`); bits of later versions are
  /// kept out.
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    /// What it delivers is no real finger.
    package static let synthetic = Flags(rawValue: 1)
    /// It opens files for reading while it runs.
    package static let readsFiles = Flags(rawValue: 2)
    /// It uses a library that opens devices itself.
    package static let opensDevices = Flags(rawValue: 4)
    package static let known: Flags = [.synthetic, .readsFiles, .opensDevices]
  }

  /// An option that `--driver NAME:key=value` may give.
  package struct Option: Equatable, Sendable {
    /// The key.
    package let name: String
    /// What its value is.
    package let kind: SensorOption.Kind
    /// One line for people.
    package let summary: String

    /// Describes an option.
    package init(name: String, kind: SensorOption.Kind, summary: String) {
      self.name = name
      self.kind = kind
      self.summary = summary
    }
  }

  /// The version of the ABI the driver was built for, `(major << 16) | minor`.
  package let abiVersion: UInt32
  /// What `--driver` takes: lower case, digits, '-'.
  package let name: String
  /// For people.
  package let fullName: String
  /// The driver's own version.
  package let version: String
  /// The devices it handles.
  package let usbMatches: [USBMatch]
  /// Press or swipe.
  package let scanType: ScanType
  /// Pixels in a row of a frame; 0 where it varies.
  package let width: UInt32
  /// Rows of a frame; 0 where it varies.
  package let height: UInt32
  /// Pixels per inch; 0 where it varies.
  package let pixelsPerInch: UInt32
  /// What a host has to know.
  package let flags: Flags
  /// What it can be told.
  package let options: [Option]
  /// The option whose presence makes a synthetic driver a real one.
  package let realOption: String?

  package init(
    abiVersion: UInt32, name: String, fullName: String, version: String, usbMatches: [USBMatch],
    scanType: ScanType, width: UInt32, height: UInt32, pixelsPerInch: UInt32, flags: Flags,
    options: [Option], realOption: String?
  ) {
    self.abiVersion = abiVersion
    self.name = name
    self.fullName = fullName
    self.version = version
    self.usbMatches = usbMatches
    self.scanType = scanType
    self.width = width
    self.height = height
    self.pixelsPerInch = pixelsPerInch
    self.flags = flags
    self.options = options
    self.realOption = realOption
  }

  /// Most options of a driver.
  package static let maximumOptions = 64
  /// Most devices of a driver.
  package static let maximumMatches = 4096

  /// Whether its frames are no real fingers when it is given options of these names.
  package func isSynthetic(withOptions names: [String]) -> Bool {
    guard flags.contains(.synthetic) else { return false }
    return !names.contains { $0 == realOption }
  }

  /// Whether frames may have this resolution; 0: it varies.
  package static func isPossible(pixelsPerInch: UInt32) -> Bool {
    pixelsPerInch == 0 || 100...2000 ~= pixelsPerInch
  }

  /// Whether a text can be the name of a driver or an option: 1…64 of lower case, digits and '-'.
  package static func isName(_ text: String) -> Bool {
    1...64 ~= text.utf8.count
      && text.utf8.allSatisfy {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || $0 == UInt8(ascii: "-")
      }
  }
}
