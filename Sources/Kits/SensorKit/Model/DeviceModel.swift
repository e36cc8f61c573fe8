/// A device model in Swift. A module holds one, and gives it to the host with
/// ``export(model:host:ret:)``.
public protocol DeviceModel: SimulatedUSBDevice, SendableMetatype {
  /// What the simulated transport calls it: lower case, digits and '-'.
  static var name: String { get }

  /// Its settings; each is a number.
  static var settingNames: [String] { get }

  /// Plugs in the device.
  init(settings: ModelSettings) throws(SensorFailure)
}

/// A USB device as software. It is told what the host does and what time it is, and says what the
/// device answers. It never waits and has no thread. The simulated transport adds faults.
public protocol SimulatedUSBDevice {
  var info: USBDeviceInfo { get }

  /// Answers a control request; `data` is what the host writes. `now` is the host's clock and never
  /// goes back.
  mutating func control(_ setup: USBSetup, _ data: [UInt8], at now: Duration) -> ControlAnswer

  /// Takes a write to an OUT endpoint; false halts the endpoint.
  mutating func write(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> Bool

  /// Answers a read of at most `length` bytes at an IN endpoint. After nil (NAK) it is asked again
  /// later. It keeps what does not fit.
  mutating func read(from endpoint: UInt8, length: Int, at now: Duration) -> ReadAnswer?
}

/// How a device answers a control request.
public enum ControlAnswer: Equatable, Sendable {
  /// It takes the data.
  case done
  /// It sends these bytes.
  case bytes([UInt8])
  /// It does not know the request.
  case stall
}

/// How a device answers a read.
public enum ReadAnswer: Equatable, Sendable {
  /// It sends these bytes, then the transfer is over.
  case bytes([UInt8])
  /// It halts the endpoint.
  case stall
}

/// The settings of a device model, `touches=2,delay=40`: numbers by name.
public struct ModelSettings: Sendable {
  private var values: [String: Int] = [:]

  /// Reads `name=value,…`; a value is decimal, or hexadecimal after `0x`.
  ///
  /// - Throws: ``SensorFailure/Code/option``, naming the setting that is not one of `names`, or
  ///   whose value is not a number.
  public init(_ text: some StringProtocol, names: [String]) throws(SensorFailure) {
    for setting in text.split(separator: ",") {
      let pair = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else {
        throw SensorFailure(.option, "\"\(setting)\" is not of the form name=value")
      }
      guard names.contains(String(pair[0])) else {
        throw SensorFailure(
          .option,
          "This simulated device has no setting \"\(pair[0])\", only "
            + names.joined(separator: ", "))
      }
      let value =
        pair[1].hasPrefix("0x") ? Int(pair[1].dropFirst(2), radix: 16) : Int(pair[1])
      guard let value, 0...0xFFFF_FFFF ~= value else {
        throw SensorFailure(
          .option, "\(pair[0]) takes a number up to 4294967295, not \"\(pair[1])\"")
      }
      values[String(pair[0])] = value
    }
  }

  public subscript(name: String, default value: Int) -> Int {
    values[name] ?? value
  }
}
