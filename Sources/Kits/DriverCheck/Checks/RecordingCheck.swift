/// Recorded traffic, played once.
struct RecordingCheck {
  private let loaded: LoadedTestDriver

  init(_ loaded: LoadedTestDriver) { self.loaded = loaded }

  func run() throws(CheckEnd) -> String? {
    let device = try plug()
    let sensor = try CheckedSensor.openHealthy(loaded, "the recorded device")
    for _ in 1...10 {
      let touch = try sensor.capture(30_000, "from the recording")
      if let frame = touch.frame {
        guard frame.isUnchanged else { throw .failed("the pixels of a frame changed") }
        try sensor.close("after the recorded frame", device: device)
        return "\(frame.width) × \(frame.height) px"
      }
      guard Status.isRetry(touch.status) else {
        throw .failed(
          "capture gave \(Status.name(touch.status))\(touch.message.map { ": " + $0 } ?? "")"
            + loaded.remarkOfRecording,
          advice: "the recording has what the device said to exactly these requests, in this order")
      }
    }
    throw .failed("the recording gave ten retries and no frame")
  }

  /// A recording that was given is there to be played.
  private func plug() throws(CheckEnd) -> WatchedDevice? {
    do throws(CheckEnd) {
      return try loaded.plug()
    } catch {
      guard case .notRun(let reason) = error else { throw error }
      throw .failed(reason, advice: "give the traffic of one device as pcapng, umockdev or text")
    }
  }
}
