/// Tells which USB devices come and go: what a transport implements for the extension `hotplug/1`.
/// Owner thread only.
public protocol USBWatch {
  /// Waits for the next change: first the devices that are there, then ``USBChange/settled``, then
  /// what comes and goes.
  ///
  /// - Throws: ``SensorFailure/Code/timeout`` if there was none in this time.
  mutating func next(within time: Duration) throws(SensorFailure) -> USBChange
}

public enum USBChange: Equatable, Sendable {
  /// A device is there, or came.
  case arrived(USBPlacement)
  /// A device left; described as when it came.
  case left(USBPlacement)
  /// All devices that were there at the start have been told. Comes once.
  case settled
}

/// A device and where it is.
public struct USBPlacement: Hashable, Sendable {
  /// Whether a person can take the device away.
  public enum Place: Int32, Sendable {
    case unknown = 0
    /// It is on a cable or in a socket.
    case external = 1
    /// It is part of the machine.
    case builtIn = 2
  }

  /// idVendor, idProduct and bcdDevice
  public let vendor, product, release: UInt16
  public let bus: UInt8
  public let address: UInt8
  public let place: Place
  /// Bus and ports as the kernel names them, "1-2.3"; at most 31 bytes.
  public let port: String
  /// Those of the active configuration, or empty if unknown. They appear a moment after the device,
  /// so `==` leaves them out.
  public let interfaces: [USBInterfaceIdentity]

  public init(
    vendor: UInt16, product: UInt16, release: UInt16, bus: UInt8, address: UInt8, place: Place,
    port: String, interfaces: [USBInterfaceIdentity] = []
  ) {
    (self.vendor, self.product, self.release) = (vendor, product, release)
    (self.bus, self.address, self.place) = (bus, address, place)
    (self.port, self.interfaces) = (port, interfaces)
  }

  /// Whether both are the same device at the same place.
  public static func == (one: USBPlacement, other: USBPlacement) -> Bool {
    one.vendor == other.vendor && one.product == other.product && one.release == other.release
      && one.bus == other.bus && one.address == other.address && one.place == other.place
      && one.port == other.port
  }

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

  public init(number: UInt8, classCode: UInt8, subclassCode: UInt8, protocolCode: UInt8) {
    (self.number, self.classCode) = (number, classCode)
    (self.subclassCode, self.protocolCode) = (subclassCode, protocolCode)
  }
}
