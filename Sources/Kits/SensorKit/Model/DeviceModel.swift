/// The protocol of a device, from the device's side, made in Swift. A module holds one model and
/// hands it to the host with ``export(model:host:ret:)``.
public protocol DeviceModel: SimulatedUSBDevice, SendableMetatype {
  /// What the simulated transport calls it: lower case, digits, '-'.
  static var name: String { get }

  /// The settings it knows, each a number.
  static var settingNames: [String] { get }

  /// Makes the device as it is when it is plugged in.
  init(settings: ModelSettings) throws(SensorFailure)
}

/// A USB device as software: told what the host does and what time it is, it says what the device
/// answers.
///
/// It never waits and has no thread. The simulated transport drives it and adds what goes wrong.
public protocol SimulatedUSBDevice {
  /// Its descriptor.
  var info: USBDeviceInfo { get }

  /// Answers a control request; `data` is what the host writes. `now` is the host's clock; it never
  /// goes back.
  mutating func control(_ setup: USBSetup, _ data: [UInt8], at now: Duration) -> ControlAnswer

  /// Takes a write to an OUT endpoint; false halts the endpoint.
  mutating func write(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> Bool

  /// Answers a read of at most `length` bytes that waits at an IN endpoint. nil: nothing yet (NAK);
  /// it is asked again later. What it does not hand out stays with it.
  mutating func read(from endpoint: UInt8, length: Int, at now: Duration) -> ReadAnswer?
}

/// How a device answers a control request.
public enum ControlAnswer: Equatable, Sendable {
  /// It took the data.
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

  /// Reads settings.
  /// - Parameters:
  ///   - text: `name=value,…`, or nothing; a value is decimal, or hexadecimal after `0x`.
  ///   - names: the names there are.
  /// - Throws: ``SensorFailure/Code/option``, naming the setting that is not understood.
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

  /// A setting's value, or `value` where it was not given.
  public subscript(name: String, default value: Int) -> Int {
    values[name] ?? value
  }
}
