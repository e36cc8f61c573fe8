/// A device that misbehaves at every call of usb/1 there is: whatever comes of it, it is an outcome
/// that sensor.h knows, in time.
struct FaultCheck {
  private let loaded: LoadedTestDriver
  private let fault: InjectedFault

  init(_ loaded: LoadedTestDriver, _ fault: InjectedFault) {
    (self.loaded, self.fault) = (loaded, fault)
  }

  func run() throws(CheckEnd) -> String? {
    let calls = try FaultPlaces(loaded).calls
    for call in 1...max(calls, 1) { try disturb(at: call) }
    return "at each of \(calls) calls"
  }

  private func disturb(at call: Int) throws(CheckEnd) {
    let place = fault.place(call)
    let device = try loaded.plug([fault.at(call: call)])
    guard case .sensor(let sensor) = try CheckedSensor.open(loaded, place) else { return }
    for _ in 1...2 {
      let touch = try sensor.capture(2000, place)
      guard isRecoverable(touch.status), fault != .silent else { continue }
      try recover(sensor, place)
    }
    try sensor.close(place, device: device)
  }

  private func isRecoverable(_ status: Int32) -> Bool {
    Status.isRetry(status) || status == Status.timeout
  }

  /// sensor.h: after a retry or a timeout the next call works.
  private func recover(_ sensor: CheckedSensor, _ place: String) throws(CheckEnd) {
    for _ in 1...3 {
      guard try sensor.capture(2000, "after a retry " + place).frame == nil else { return }
    }
    let reason = "after a retry or a timeout no capture gave a frame"
    throw .failed(
      reason, at: place,
      advice: "clear what the fault left behind (halts, queued reads, modes) before the retry",
      cause: .noFrame(reason + fault.rawValue))
  }
}
