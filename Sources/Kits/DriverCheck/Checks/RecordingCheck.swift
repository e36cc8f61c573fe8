import AuthcoreABI

/// Plays recorded traffic, first as it is and then with faults.
struct RecordingCheck {
  let loaded: LoadedTestDriver

  /// At most so many places of a recording get a fault of each kind.
  private static let mostPlaces = 24

  func run() throws(CheckEnd) -> String? {
    let calls = try loaded.recordedCalls()
    guard calls != nil || !loaded.matchesOnChip else {
      throw .notRun(
        "the calls of the recorded session are not known: write them into FILE.calls beside it "
          + "(docs/recordings.md)")
    }
    let device = try plug()
    let sensor = try CheckedSensor.openHealthy(loaded, "the recorded device")
    let played =
      if let calls { try play(calls, sensor, device) } else { try capture(sensor, device) }
    let restart = loaded.host.lastLine(of: .transport, level: AC_LOG_WARNING)
    let result = played + (restart.map { ". " + $0 } ?? "")
    guard let count = device?.calls else { return result }
    let places = stride(from: 1, through: count, by: max(1, count / Self.mostPlaces))
    for fault in [InjectedFault.gone, .stall, .silent, .interrupt] {
      for call in places { try disturb(fault, at: call, calls) }
    }
    return result
  }

  private func capture(
    _ sensor: CheckedSensor, _ device: WatchedDevice?
  ) throws(CheckEnd) -> String {
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

  /// Makes the calls of the session, and expects that the recording is at its end then.
  private func play(
    _ calls: RecordedCalls, _ sensor: CheckedSensor, _ device: WatchedDevice?
  ) throws(CheckEnd) -> String {
    let played: String
    do throws(CheckEnd) {
      played = try calls.play(on: sensor)
    } catch {
      guard case .failed(let reason, let place, let advice, let cause) = error else { throw error }
      throw .failed(reason + loaded.remarkOfRecording, at: place, advice: advice, cause: cause)
    }
    try sensor.close("after the recorded session", device: device)
    loaded.unplug()
    let host = loaded.host
    let refusal = host.lastLine(of: .transport, level: AC_LOG_ERROR)
    if let rest = refusal ?? host.lastLine(of: .transport, level: AC_LOG_INFO) {
      throw .failed("the calls were made, and the recording was not played to its end. " + rest)
    }
    return played
  }

  /// Plays the recording until a fault ends it: the driver returns in time, says why, and closes.
  private func disturb(
    _ fault: InjectedFault, at call: Int, _ calls: RecordedCalls?
  ) throws(CheckEnd) {
    let place = fault.place(call)
    let device = try loaded.plug([fault.at(call: call)])
    switch try CheckedSensor.open(loaded, place) {
    case .failed(let status, _): try expectGone(status, "open", place, device)
    case .sensor(let sensor):
      let failure =
        if let calls {
          try calls.playUntilFailure(on: sensor, place)
        } else {
          try captureUntilFailure(sensor, place)
        }
      if let failure { try expectGone(failure, "a call", place, device) }
      try sensor.close(place, device: device)
    }
  }

  /// - Returns: the failure; nil if there was a frame, or nothing but retries.
  private func captureUntilFailure(
    _ sensor: CheckedSensor, _ place: String
  ) throws(CheckEnd) -> ac_status_t? {
    for _ in 1...10 {
      let touch = try sensor.capture(30_000, place)
      guard Status.isRetry(touch.status) else { return touch.isSound ? nil : touch.status }
    }
    return nil
  }

  /// Expects the failure AC_ERR_GONE if usb/1 said that the device is gone.
  private func expectGone(
    _ status: ac_status_t, _ function: String, _ place: String, _ device: WatchedDevice?
  ) throws(CheckEnd) {
    guard device?.takeGone() == true, status != Status.gone else { return }
    throw .hidesGone(function, place, status)
  }

  /// A recording that cannot be played is a failure, because the author gave it.
  private func plug() throws(CheckEnd) -> WatchedDevice? {
    do throws(CheckEnd) {
      return try loaded.plug()
    } catch {
      guard case .notRun(let reason) = error else { throw error }
      throw .failed(reason, advice: "give the traffic of one device as pcapng, umockdev or text")
    }
  }
}
