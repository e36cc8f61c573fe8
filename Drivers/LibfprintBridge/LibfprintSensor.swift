// LibfprintBridge: the readers that libfprint knows, as frames for this project's matcher.

public import AuthcoreABI
internal import CLibfprint
internal import Glibc
internal import SensorKit
internal import Synchronization

/// The entry point, which is linked under the name `ac_sensor_entry` (sensor.h).
@c(LibfprintBridgeDriver_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
) -> ac_status_t {
  unsafe export(LibfprintSensor.self, host: host, ret: ret_driver)
}

/// A reader that delivers images, driven by the installed libfprint-2.
///
/// libfprint finds and opens devices itself, so this driver needs no transport and gets the wider
/// sandbox. It lists no USB devices, because libfprint has no public list of them, and the drivers
/// of this project come first. It is used only with `--driver libfprint`.
struct LibfprintSensor: SensorDriver {
  static let description = SensorDescription(
    name: "libfprint", fullName: "Readers of the installed libfprint", version: "1",
    scanType: .press, traits: .opensDevices,
    options: [
      .init("reader", .number, summary: "which reader, as libfprint counts them from 1"),
      .init("emulation", .number, summary: "1: the reader is a recording, played by umockdev"),
    ])

  private let device: LibfprintDevice
  private let clock: HostClock
  private let interruption: Interruption

  init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {
    clock = try context.host.clock()
    interruption = context.interruption
    let number = try Self.readerNumber(options)
    LibfprintProcess.prepare(log: context.host, isEmulated: try options.isOn("emulation"))
    device = try LibfprintReaders().open(number)
  }

  var deviceInfo: DeviceInfo? { DeviceInfo(scanType: device.scanType) }

  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    try device.capture(until: clock.now() + timeout, on: clock, interruption)
  }

  private static func readerNumber(_ options: borrowing SensorOptions) throws(SensorFailure) -> Int?
  {
    guard let option = options["reader"] else { return nil }
    guard let number = Int(exactly: option.number), number >= 1 else {
      throw SensorFailure(.option, "The option reader counts from 1, \"\(option.text)\" is none")
    }
    return number
  }
}

/// The settings of libfprint and GLib that are global to the process, made once.
enum LibfprintProcess {
  /// The host whose log they write to. Global, because the C function has no argument for it.
  private static let log = Mutex<DriverServices?>(nil)

  /// Sends the messages of GLib and libfprint to the host's log, and tells libfprint whether its
  /// device is a recording. Call it first, on the thread that uses libfprint.
  static func prepare(log host: DriverServices, isEmulated: Bool) {
    // GLib uses the environment on any thread, but has no thread yet.
    if isEmulated { unsafe setenv("FP_DEVICE_EMULATION", "1", 1) }
    let isFirst = log.withLock { log in
      defer { log = host }
      return log == nil
    }
    // GLib accepts only one writer in a process.
    guard isFirst else { return }
    unsafe g_log_set_writer_func(
      { level, fields, count, _ in
        guard let importance = LibfprintProcess.importance(of: level),
          let text = unsafe g_log_writer_format_fields(level, fields, count, 0)
        else { return G_LOG_WRITER_HANDLED }
        let line = unsafe String(cString: text)
        unsafe g_free(text)
        LibfprintProcess.log.withLock { $0 }?.log(importance, line)
        return G_LOG_WRITER_HANDLED
      }, nil, nil)
    // Otherwise these write to the standard streams, which a plugin must not do. libusb's errors
    // are reported anyway.
    unsafe libusb_set_log_cb(nil, { _, _, _ in }, Int32(LIBUSB_LOG_CB_GLOBAL.rawValue))
    let drop: GPrintFunc = { _ in }
    unsafe g_set_print_handler(drop)
    unsafe g_set_printerr_handler(drop)
  }

  /// Returns nil for debug messages, which contain every transfer with its bytes.
  private static func importance(of level: GLogLevelFlags) -> LogLevel? {
    func isAny(_ levels: GLogLevelFlags...) -> Bool {
      levels.contains { $0.rawValue & level.rawValue != 0 }
    }
    if isAny(G_LOG_LEVEL_ERROR) { return .error }
    if isAny(G_LOG_LEVEL_CRITICAL, G_LOG_LEVEL_WARNING) { return .warning }
    return isAny(G_LOG_LEVEL_MESSAGE) ? .info : nil
  }
}
