/// A device that is pulled out at every call of usb/1 there is.
struct UnpluggingCheck {
  private let loaded: LoadedTestDriver

  init(_ loaded: LoadedTestDriver) { self.loaded = loaded }

  func run() throws(CheckEnd) -> String? {
    let calls = try FaultPlaces(loaded).calls
    for call in 1...max(calls, 1) { try unplug(at: call) }
    return "at each of \(calls) calls"
  }

  private func unplug(at call: Int) throws(CheckEnd) {
    let place = InjectedFault.gone.place(call)
    guard let device = try loaded.plug([InjectedFault.gone.at(call: call)]) else { return }
    let sensor: CheckedSensor
    switch try CheckedSensor.open(loaded, place) {
    case .failed(let status, _):
      guard status == Status.gone else {
        throw .failed("open \(place) gave \(Status.name(status)), not AC_ERR_GONE")
      }
      return
    case .sensor(let opened): sensor = opened
    }
    // A call that failed just before the end of a sound capture may go unheard once.
    var unheard = device.takeGone()
    for _ in 1...3 {
      let touch = try sensor.capture(5000, place)
      let isGone = device.takeGone()
      guard touch.status != Status.gone else { break }
      if unheard || (isGone && touch.status >= 100) {
        throw .failed(
          "capture \(place) gave \(Status.name(touch.status)), not AC_ERR_GONE",
          advice: "hand AC_ERR_GONE on from whatever call says so: the host ends the capture by it")
      }
      unheard = isGone
    }
    try sensor.close(place, device: device)
  }
}
