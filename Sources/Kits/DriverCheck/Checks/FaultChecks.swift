import AuthcoreABI
import DriverKit

/// A fault that a transport can inject (docs/simulated-devices.md).
enum InjectedFault: String {
  case gone, stall, short, garbage, nak, silent, interrupt

  /// The beginning of the transport's setting.
  static let setting = "fault="

  func at(call: Int) -> String { Self.setting + rawValue + "@\(call)" }

  /// For reports.
  func place(_ call: Int) -> String {
    switch self {
    case .gone: "while unplugged at call \(call)"
    case .stall: "with an endpoint that halts at call \(call)"
    case .short: "with half an answer at call \(call)"
    case .garbage: "with garbage at call \(call)"
    case .nak: "with a storm of NAKs at call \(call)"
    case .silent: "with a device that is silent from call \(call) on"
    case .interrupt: "with an interrupt at call \(call)"
    }
  }
}

extension CheckEnd {
  /// For a call that fails in another way although usb/1 said that the device is gone.
  static func hidesGone(_ function: String, _ place: String, _ status: ac_status_t) -> CheckEnd {
    .failed(
      "\(function) \(place) gave \(Status.name(status)), not AC_ERR_GONE",
      advice: "hand AC_ERR_GONE on from whatever call says so: the host ends the capture by it")
  }
}

extension CheckCause {
  /// For a capture that gives no frame after a disturbance, unless it gives none of a sound touch
  /// either.
  static func noFrame(_ reason: String) -> CheckCause {
    CheckCause(own: reason, consequenceOf: noFrame)
  }
}

/// How many calls of usb/1 it takes to open, capture twice and close. A fault can hit each of them.
struct FaultPlaces {
  /// The most that are tried; later ones repeat earlier ones.
  private static let most = 300

  private let calls: Int

  init(_ loaded: LoadedTestDriver) throws(CheckEnd) {
    guard let device = try loaded.plug() else { throw .notRun("the driver uses no USB device") }
    let sensor = try CheckedSensor.openHealthy(loaded, "a sound device")
    for number in 1...2 { _ = try sensor.capture(5000, "number \(number) of a sound device") }
    try sensor.close("after two captures", device: device)
    calls = min(device.calls, Self.most)
  }

  /// Makes a check at each call.
  func atEach(_ check: (Int) throws(CheckEnd) -> Void) throws(CheckEnd) -> String {
    for call in 1...max(calls, 1) { try check(call) }
    return "at each of \(calls) calls"
  }
}

/// A device that misbehaves at each call of usb/1 in turn. The driver has to return in time, with
/// an outcome of sensor.h.
struct FaultCheck {
  let loaded: LoadedTestDriver
  let fault: InjectedFault

  func run() throws(CheckEnd) -> String? {
    try FaultPlaces(loaded).atEach(disturb)
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
      guard try sensor.capture(2000, "after a retry " + place).isSound == false else { return }
    }
    let reason = "after a retry or a timeout no capture gave a frame"
    throw .failed(
      reason, at: place,
      advice: "clear what the fault left behind (halts, queued reads, modes) before the retry",
      cause: .noFrame(reason + fault.rawValue))
  }
}

/// A device that is unplugged at each call of usb/1 in turn.
struct UnpluggingCheck {
  let loaded: LoadedTestDriver

  func run() throws(CheckEnd) -> String? {
    try FaultPlaces(loaded).atEach(unplug)
  }

  private func unplug(at call: Int) throws(CheckEnd) {
    let place = InjectedFault.gone.place(call)
    guard let device = try loaded.plug([InjectedFault.gone.at(call: call)]) else { return }
    let sensor: CheckedSensor
    switch try CheckedSensor.open(loaded, place) {
    case .failed(let status, _):
      guard status == Status.gone else {
        throw .hidesGone("open", place, status)
      }
      return
    case .sensor(let opened): sensor = opened
    }
    // A call that failed just before the end of a sound capture may be missed once.
    var unheard = device.takeGone()
    for _ in 1...3 {
      let touch = try sensor.capture(5000, place)
      let isGone = device.takeGone()
      guard touch.status != Status.gone else { break }
      if unheard || (isGone && touch.status >= 100) {
        throw .hidesGone("capture", place, touch.status)
      }
      unheard = isGone
    }
    try sensor.close(place, device: device)
  }
}
