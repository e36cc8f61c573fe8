/// Opening and closing, with a device and without.
struct OpeningCheck {
  private let loaded: LoadedTestDriver

  init(_ loaded: LoadedTestDriver) { self.loaded = loaded }

  func run() throws(CheckEnd) -> String? {
    if loaded.needsDevice {
      switch try CheckedSensor.open(loaded, "without a device") {
      case .failed: break
      case .sensor:
        throw .failed(
          "open succeeded though the host has no usb/1",
          advice: "fail with AC_ERR_NOT_FOUND where host->service gives NULL")
      }
    }
    let device = try loaded.plug()
    let sensor = try CheckedSensor.openHealthy(loaded, "a sound device")
    try sensor.close("after open", device: device)
    let again = try CheckedSensor.openHealthy(loaded, "the same device once more")
    try again.close("after the second open", device: device)
    guard let device else { return nil }
    return "\(device.calls) calls of usb/1 for two times"
  }
}
