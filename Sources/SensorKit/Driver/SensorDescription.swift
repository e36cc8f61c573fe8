/// The static facts of a driver, as `ac_sensor_description` has them.
public struct SensorDescription: Sendable {
  /// A USB device the driver handles.
  public struct USBMatch: Sendable {
    let vendor: UInt16
    let product: UInt16

    /// Names a device by its vendor and product number.
    public init(vendor: UInt16, product: UInt16) {
      self.vendor = vendor
      self.product = product
    }
  }

  /// How a finger is presented.
  public enum ScanType: Sendable {
    /// The finger rests on the sensor.
    case press
    /// The finger is drawn over the sensor.
    case swipe
  }

  /// What the host has to know before it runs the driver.
  public struct Traits: OptionSet, Sendable {
    /// The bits of `ac_sensor_description.flags`.
    public let rawValue: UInt32

    /// Wraps bits of `ac_sensor_description.flags`.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// What it delivers is no real finger, unless ``SensorDescription/realOption`` is given.
    public static let synthetic = Traits(rawValue: 1 << 0)
    /// Opens files read-only while it runs.
    public static let readsFiles = Traits(rawValue: 1 << 1)
    /// Uses a library that opens devices itself: gets a wider sandbox.
    public static let opensDevices = Traits(rawValue: 1 << 2)
  }

  /// An option of the driver, `--driver name:option=value`.
  public struct Option: Sendable {
    /// What the host makes of the value.
    public enum Kind: Sendable {
      /// The text itself.
      case text
      /// A decimal or 0x… number, checked by the host.
      case number
      /// An absolute path, opened read-only by the host.
      case file
    }

    let name: String
    let kind: Kind
    let summary: String

    /// Describes an option; `summary` is one line for `authcore driver info`.
    public init(_ name: String, _ kind: Kind, summary: String) {
      self.name = name
      self.kind = kind
      self.summary = summary
    }
  }

  let name: String
  let fullName: String
  let version: String
  let usbMatches: [USBMatch]
  let scanType: ScanType
  let width: UInt32
  let height: UInt32
  let pixelsPerInch: UInt32
  let traits: Traits
  let options: [Option]
  let realOption: String?

  /// States the facts: `name` is what `--driver` takes (lower case, digits, '-'), `fullName` is for people, `version` is
  /// free text. Width and height of a frame as delivered in pixels, and its pixels per inch, are 0 where they vary.
  /// `realOption` names the option whose presence makes a ``Traits/synthetic`` driver a real one.
  public init(
    name: String, fullName: String, version: String, usbMatches: [USBMatch] = [],
    scanType: ScanType, width: UInt32 = 0, height: UInt32 = 0, pixelsPerInch: UInt32 = 0,
    traits: Traits = [], options: [Option] = [], realOption: String? = nil
  ) {
    self.name = name
    self.fullName = fullName
    self.version = version
    self.usbMatches = usbMatches
    self.scanType = scanType
    self.width = width
    self.height = height
    self.pixelsPerInch = pixelsPerInch
    self.traits = traits
    self.options = options
    self.realOption = realOption
  }
}
