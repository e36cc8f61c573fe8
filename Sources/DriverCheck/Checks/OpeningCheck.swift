/// Opening and closing, with a device and without.
struct OpeningCheck {
  private let bench: Bench

  init(_ bench: Bench) { self.bench = bench }

  func run() throws(CheckEnd) -> String? {
    if bench.needsDevice {
      switch try CheckedSensor.open(bench, "without a device") {
      case .failed: break
      case .sensor:
        throw .failed(
          "open succeeded though the host has no usb/1",
          advice: "fail with AC_ERR_NOT_FOUND where host->service gives NULL")
      }
    }
    let device = try bench.plug()
    let sensor = try CheckedSensor.openHealthy(bench, "a sound device")
    try sensor.close("after open", device: device)
    let again = try CheckedSensor.openHealthy(bench, "the same device once more")
    try again.close("after the second open", device: device)
    guard let device else { return nil }
    return "\(device.calls) calls of usb/1 for two times"
  }
}
