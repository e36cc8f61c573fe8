/// Tells which USB devices are there, come and go: what a transport does for the extension
/// `hotplug/1`. Owner thread only.
public protocol USBWatch {
  /// Waits for the next change: first what is there, then ``USBChange/settled``, then what comes
  /// and goes.
  ///
  /// - Throws: ``SensorFailure/Code/timeout`` when there was none in this time.
  mutating func next(within time: Duration) throws(SensorFailure) -> USBChange
}

/// What happened on a bus.
public enum USBChange: Equatable, Sendable {
  /// A device is there, or has come.
  case arrived(USBPlacement)
  /// A device has gone; as it was when it came.
  case left(USBPlacement)
  /// Everything that was there at the start has been told; comes once.
  case settled
}

/// A device and where it is.
public struct USBPlacement: Hashable, Sendable {
  /// Whether a person can take the device away.
  public enum Place: Int32, Sendable {
    /// Nobody says.
    case unknown = 0
    /// It is on a cable or in a socket.
    case external = 1
    /// It is a part of the machine.
    case builtIn = 2
  }

  /// idVendor, idProduct and bcdDevice
  public let vendor, product, release: UInt16
  /// The bus it is on.
  public let bus: UInt8
  /// Its address on the bus.
  public let address: UInt8
  /// Whether it can be taken away.
  public let place: Place
  /// Bus and ports as the kernel names them, "1-2.3"; at most 31 bytes.
  public let port: String
  /// Of the active configuration; empty where they are unknown. They appear a moment after their
  /// device and are no part of what makes it the same one.
  public let interfaces: [USBInterfaceIdentity]

  /// Describes a device.
  public init(
    vendor: UInt16, product: UInt16, release: UInt16, bus: UInt8, address: UInt8, place: Place,
    port: String, interfaces: [USBInterfaceIdentity] = []
  ) {
    self.vendor = vendor
    self.product = product
    self.release = release
    self.bus = bus
    self.address = address
    self.place = place
    self.port = port
    self.interfaces = interfaces
  }

  /// Whether both are the same device at the same place.
  public static func == (one: USBPlacement, other: USBPlacement) -> Bool {
    one.vendor == other.vendor && one.product == other.product && one.release == other.release
      && one.bus == other.bus && one.address == other.address && one.place == other.place
      && one.port == other.port
  }

  /// By what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(vendor)
    hasher.combine(product)
    hasher.combine(bus)
    hasher.combine(address)
  }
}

/// What an interface is (USB 2.0, section 9.6.5).
public struct USBInterfaceIdentity: Hashable, Sendable {
  /// bInterfaceNumber
  public let number: UInt8
  /// bInterfaceClass
  public let classCode: UInt8
  /// bInterfaceSubClass
  public let subclassCode: UInt8
  /// bInterfaceProtocol
  public let protocolCode: UInt8

  /// Describes an interface.
  public init(number: UInt8, classCode: UInt8, subclassCode: UInt8, protocolCode: UInt8) {
    self.number = number
    self.classCode = classCode
    self.subclassCode = subclassCode
    self.protocolCode = protocolCode
  }
}
