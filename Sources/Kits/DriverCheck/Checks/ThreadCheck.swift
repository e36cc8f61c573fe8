/// Threads: the driver's calls and its own.
struct ThreadCheck {
  private let loaded: LoadedTestDriver

  init(_ loaded: LoadedTestDriver) { self.loaded = loaded }

  func run() throws(CheckEnd) -> String? {
    let device = try loaded.plug()
    let before = ProcessCounts().threads
    let sensor = try CheckedSensor.openHealthy(loaded, "a sound device")
    _ = try sensor.capture(5000, "of a sound device")
    sensor.interrupt()
    _ = try sensor.capture(5000, "that was interrupted before it began")
    try sensor.close("after captures", device: device)
    let left = ProcessCounts().threads - before
    guard left <= 0 else {
      throw .failed(
        "close left \(left) thread\(left == 1 ? "" : "s") running",
        advice: "end and join them in close(); most drivers need none, since calls may block")
    }
    return nil
  }
}
