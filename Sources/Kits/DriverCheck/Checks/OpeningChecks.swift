import AuthcoreABI
import Glibc

/// Opening and closing, with and without a device.
struct OpeningCheck {
  let loaded: LoadedTestDriver

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

/// Arguments that no correct host passes.
@safe
struct ArgumentCheck {
  let loaded: LoadedTestDriver

  func run() throws(CheckEnd) -> String? {
    let table = unsafe loaded.table.pointee
    loaded.at("close(NULL)")
    unsafe table.close(nil)
    loaded.at("interrupt(NULL)")
    unsafe table.interrupt(nil)
    if let ask = unsafe table.extension {
      loaded.at("extension of an unknown name")
      guard unsafe ask("org.example.no-such-ability/1") == nil else {
        throw .failed("extension has a table for a name that nobody knows")
      }
      loaded.at("extension(NULL)")
      _ = unsafe ask(nil)
    }
    loaded.at("capture with a sensor that is NULL")
    let memory = FrameMemory()
    try Self.expectRefusal(unsafe table.capture(nil, 100, memory.pointer), "capture(NULL, …)")
    loaded.at("open with ret_sensor NULL")
    try Self.expectRefusal(unsafe table.open(nil, 0, nil), "open(…, NULL)")
    try openWithOddOptions()
    guard loaded.hasModel || !loaded.needsDevice else { return nil }
    try captureIntoNothing()
    return nil
  }

  private static func expectRefusal(_ status: ac_status_t, _ call: String) throws(CheckEnd) {
    guard status >= 100, Status.isKnown(status) else {
      throw .failed(
        "\(call) returned \(Status.name(status))",
        advice: "refuse a pointer that is NULL with AC_ERR_ARGUMENT")
    }
  }

  /// The driver may accept or refuse them, but must not crash.
  private func openWithOddOptions() throws(CheckEnd) {
    let unknown = CheckOption(
      name: "no-such-option", value: "\u{1F}\\,=", kind: ac_option_kind_t(AC_OPTION_TEXT))
    try open([unknown], "with an option that it does not describe")
    guard let description = unsafe loaded.table.pointee.description else { return }
    for index in 0..<Int(unsafe description.pointee.option_count) {
      let name = unsafe String(cString: description.pointee.options[index].name)
      for value in ["", "99999999999999999999", "/nonexistent/file", "\u{7F}%n%s"] {
        for kind in [AC_OPTION_TEXT, AC_OPTION_NUMBER, AC_OPTION_FILE] {
          try open(
            [CheckOption(name: name, value: value, kind: ac_option_kind_t(kind))],
            "with \(name) given as \u{201C}\(value.filter { $0 != "\u{7F}" })\u{201D}")
        }
      }
    }
  }

  private func open(_ options: [CheckOption], _ place: String) throws(CheckEnd) {
    let device = loaded.hasModel ? try loaded.plug() : nil
    if case .sensor(let sensor) = try CheckedSensor.open(loaded, place, options: options) {
      try sensor.close(place, device: device)
    }
    loaded.unplug()
  }

  private func captureIntoNothing() throws(CheckEnd) {
    let device = try loaded.plug()
    guard case .sensor(let sensor) = try CheckedSensor.open(loaded, "to capture into NULL") else {
      return
    }
    loaded.at("capture with ret_frame NULL")
    try Self.expectRefusal(unsafe sensor.captureStatus(into: nil), "capture(…, NULL)")
    try sensor.close("after capture into NULL", device: device)
  }
}
