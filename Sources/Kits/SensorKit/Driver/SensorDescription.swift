/// The static facts of a driver (`ac_sensor_description`).
public struct SensorDescription: Sendable {
  /// A USB device that the driver handles.
  public struct USBMatch: Sendable {
    /// What an interface of the device has to be. nil means anything.
    public struct Interface: Sendable {
      let number: UInt8?
      let classCode: UInt8?
      let subclassCode: UInt8?
      let protocolCode: UInt8?

      /// All values that are given have to be those of one interface.
      public init(
        number: UInt8? = nil, classCode: UInt8? = nil, subclassCode: UInt8? = nil,
        protocolCode: UInt8? = nil
      ) {
        (self.number, self.classCode) = (number, classCode)
        (self.subclassCode, self.protocolCode) = (subclassCode, protocolCode)
      }
    }

    let vendor: UInt16
    let product: UInt16
    let releases: ClosedRange<UInt16>?
    let interface: Interface?

    /// Matches a device by its vendor and product number and, if these are not enough, by its
    /// bcdDevice and one of its interfaces. The host may not know all of this, so the driver checks
    /// again when it opens the device.
    public init(
      vendor: UInt16, product: UInt16, releases: ClosedRange<UInt16>? = nil,
      interface: Interface? = nil
    ) {
      (self.vendor, self.product) = (vendor, product)
      (self.releases, self.interface) = (releases, interface)
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

    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// Does not deliver real fingers, unless `realOption` is given.
    public static let synthetic = Traits(rawValue: 1 << 0)
    /// Opens files read-only while it runs.
    public static let readsFiles = Traits(rawValue: 1 << 1)
    /// Uses a library that opens devices itself, and so gets a wider sandbox.
    public static let opensDevices = Traits(rawValue: 1 << 2)
    /// Compares prints itself and delivers none: a ``ChipSensorDriver``.
    public static let matchesOnChip = Traits(rawValue: 1 << 3)
  }

  /// An option of the driver, `--driver name:option=value`.
  public struct Option: Sendable {
    /// How the host reads the value.
    public enum Kind: Int32, Sendable {
      /// The text itself.
      case text = 0
      /// A decimal or 0x… number, checked by the host.
      case number = 1
      /// An absolute path, opened read-only by the host.
      case file = 2
    }

    let name: String
    let kind: Kind
    let summary: String

    /// `summary` is one line for `authcore driver info`.
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

  /// `name` is what `--driver` takes (lower case, digits, '-'), `fullName` is for people, `version`
  /// is free text. Width and height of a frame as delivered, in pixels, and its pixels per inch are
  /// 0 if they vary. `realOption` names the option that makes a ``Traits/synthetic`` driver a real
  /// one.
  public init(
    name: String, fullName: String, version: String, usbMatches: [USBMatch] = [],
    scanType: ScanType, width: UInt32 = 0, height: UInt32 = 0, pixelsPerInch: UInt32 = 0,
    traits: Traits = [], options: [Option] = [], realOption: String? = nil
  ) {
    (self.name, self.fullName, self.version) = (name, fullName, version)
    (self.usbMatches, self.scanType, self.width) = (usbMatches, scanType, width)
    (self.height, self.pixelsPerInch, self.traits) = (height, pixelsPerInch, traits)
    (self.options, self.realOption) = (options, realOption)
  }
}

/// What an open device is, if the driver's description fits several kinds (`ac_device_info_t`).
public struct DeviceInfo: Equatable, Sendable {
  public let scanType: SensorDescription.ScanType
  /// Pixels in a row of a frame; 0 if it varies.
  public let width: Int
  /// Rows of a frame; 0 if it varies.
  public let height: Int
  /// 0 if it varies.
  public let pixelsPerInch: Int
  /// "" if it has none. At most 63 bytes reach the administrator.
  public let serial: String
  /// Its version, or "" if unknown. At most 63 bytes reach the administrator.
  public let firmware: String

  /// The host refuses sizes that no frame can have.
  public init(
    scanType: SensorDescription.ScanType, width: Int = 0, height: Int = 0, pixelsPerInch: Int = 0,
    serial: String = "", firmware: String = ""
  ) {
    (self.scanType, self.width, self.height) = (scanType, width, height)
    (self.pixelsPerInch, self.serial, self.firmware) = (pixelsPerInch, serial, firmware)
  }
}
