/// Tells which USB devices are there, come and go: what a transport does for the extension `hotplug/1`. Owner thread only.
public protocol USBWatch {
  /// Waits for the next change: first what is there, then ``USBChange/settled``, then what comes and goes.
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

  /// idVendor
  public let vendor: UInt16
  /// idProduct
  public let product: UInt16
  /// bcdDevice
  public let release: UInt16
  /// The bus it is on.
  public let bus: UInt8
  /// Its address on the bus.
  public let address: UInt8
  /// Whether it can be taken away.
  public let place: Place
  /// Bus and ports as the kernel names them, "1-2.3"; at most 31 bytes.
  public let port: String

  /// Describes a device.
  public init(
    vendor: UInt16, product: UInt16, release: UInt16, bus: UInt8, address: UInt8, place: Place,
    port: String
  ) {
    self.vendor = vendor
    self.product = product
    self.release = release
    self.bus = bus
    self.address = address
    self.place = place
    self.port = port
  }
}
