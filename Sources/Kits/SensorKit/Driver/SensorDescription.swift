/// The static facts of a driver, as `ac_sensor_description` has them.
public struct SensorDescription: Sendable {
  /// A USB device the driver handles.
  public struct USBMatch: Sendable {
    /// What an interface of the device has to be; nil: anything.
    public struct Interface: Sendable {
      let number: UInt8?
      let classCode: UInt8?
      let subclassCode: UInt8?
      let protocolCode: UInt8?

      /// Names the values that matter, all of one interface.
      public init(
        number: UInt8? = nil, classCode: UInt8? = nil, subclassCode: UInt8? = nil,
        protocolCode: UInt8? = nil
      ) {
        self.number = number
        self.classCode = classCode
        self.subclassCode = subclassCode
        self.protocolCode = protocolCode
      }
    }

    let vendor: UInt16
    let product: UInt16
    let releases: ClosedRange<UInt16>?
    let interface: Interface?

    /// Names a device by its vendor and product number; where these are not enough, by the values
    /// of its bcdDevice and by one of its interfaces. The host goes by what it knows of a device,
    /// so a driver still looks when it opens it.
    public init(
      vendor: UInt16, product: UInt16, releases: ClosedRange<UInt16>? = nil,
      interface: Interface? = nil
    ) {
      self.vendor = vendor
      self.product = product
      self.releases = releases
      self.interface = interface
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
    /// Compares prints itself and delivers none: a ``ChipSensorDriver``.
    public static let matchesOnChip = Traits(rawValue: 1 << 3)
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
      (self.name, self.kind, self.summary) = (name, kind, summary)
    }
  }

  let name, fullName, version: String
  let usbMatches: [USBMatch]
  let scanType: ScanType
  let width, height, pixelsPerInch: UInt32
  let traits: Traits
  let options: [Option]
  let realOption: String?

  /// States the facts: `name` is what `--driver` takes (lower case, digits, '-'), `fullName` is for
  /// people, `version` is free text. Width and height of a frame as delivered in pixels, and its
  /// pixels per inch, are 0 where they vary. `realOption` names the option whose presence makes a
  /// ``Traits/synthetic`` driver a real one.
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

/// What an open device is, where a driver's description holds for several (`ac_device_info_t`).
public struct DeviceInfo: Equatable, Sendable {
  /// How a finger is presented.
  public let scanType: SensorDescription.ScanType
  /// Pixels in a row of a frame; 0 where it varies.
  public let width: Int
  /// Rows of a frame; 0 where it varies.
  public let height: Int
  /// Pixels per inch; 0 where it varies.
  public let pixelsPerInch: Int
  /// Of the device; "" where it has none. At most 63 bytes reach the administrator.
  public let serial: String
  /// Its version; "" where it is unknown. At most 63 bytes reach the administrator.
  public let firmware: String

  /// Describes a device. Sizes that no frame can have are the host's to refuse.
  public init(
    scanType: SensorDescription.ScanType, width: Int = 0, height: Int = 0, pixelsPerInch: Int = 0,
    serial: String = "", firmware: String = ""
  ) {
    self.scanType = scanType
    self.width = width
    self.height = height
    self.pixelsPerInch = pixelsPerInch
    self.serial = serial
    self.firmware = firmware
  }
}
