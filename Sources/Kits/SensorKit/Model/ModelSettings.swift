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
