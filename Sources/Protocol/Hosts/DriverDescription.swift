extension DriverDescription {
  /// What a host has to know before it runs the driver (`AC_SENSOR_…`); bits of later versions are
  /// kept out.
  package struct Flags: OptionSet, Sendable, WireField {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue & 7 }
    /// What it delivers is no real finger.
    package static let synthetic = Flags(rawValue: 1)
    /// It opens files for reading while it runs.
    package static let readsFiles = Flags(rawValue: 2)
    /// It uses a library that opens devices itself.
    package static let opensDevices = Flags(rawValue: 4)
  }

  /// Most options of a driver.
  package static let maximumOptions = 64
  /// Bytes of a text for people.
  static let longestText = 256
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

  /// It comes from a process that ran somebody's plugin: everything is checked again.
  func check() throws(DecodeError) {
    for name in [name] + options.map(\.name) + [realOption].compactMap(\.self) {
      guard Self.isName(name) else { throw .invalidValue(field: "name") }
    }
    try Self.requirePossible(width: width, height: height, pixelsPerInch)
  }

  /// A frame may have this shape; 0: it varies.
  static func requirePossible(
    width: UInt32, height: UInt32, _ pixelsPerInch: UInt32
  ) throws(DecodeError) {
    guard width <= SensorFrame.maximumSide, height <= SensorFrame.maximumSide,
      isPossible(pixelsPerInch: pixelsPerInch)
    else { throw .invalidValue(field: "frame size") }
  }
}
