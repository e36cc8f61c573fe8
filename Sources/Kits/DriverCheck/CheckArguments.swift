import DriverKit

/// What the kit tells the program: `--check NAME --driver PATH`, then `--transport PATH` with
/// `--model PATH` or `--recording PATH` and `--recorded-device TEXT`, `--log on` where lines of the
/// log are wanted, and `--option NAME=VALUE` as often as needed.
struct CheckArguments {
  let check: DriverCheck
  let driver: String
  private(set) var transport: String?
  private(set) var model: String?
  private(set) var recording: String?
  /// Which device of the recording is meant; "" for one that the driver handles.
  private(set) var recordedDevice = ""
  private(set) var logs = false
  private(set) var options: [(name: String, value: String)] = []

  init?(_ arguments: some Sequence<String>) {
    var check: DriverCheck?
    var driver: String?
    var iterator = arguments.makeIterator()
    while let name = iterator.next() {
      guard let value = iterator.next() else { return nil }
      switch name {
      case "--check": check = DriverCheck(rawValue: value)
      case "--driver": driver = value
      case "--transport": transport = value
      case "--model": model = value
      case "--recording": recording = value
      case "--recorded-device": recordedDevice = value
      case "--log": logs = value == "on"
      case "--option":
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        options.append((String(parts[0]), String(parts[1])))
      default: return nil
      }
    }
    guard let check, let driver else { return nil }
    (self.check, self.driver) = (check, driver)
  }
}
