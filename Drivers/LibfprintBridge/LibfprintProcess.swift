internal import CLibfprint
internal import Glibc
internal import SensorKit
internal import Synchronization

/// What libfprint and GLib take from the whole process, set once.
enum LibfprintProcess {
  /// The host whose log they write to. A C function has no other way to it.
  private static let log = Mutex<DriverServices?>(nil)

  /// Sends what GLib and libfprint have to say to the host's log, and tells libfprint whether its
  /// device is a recording. Before anything else of libfprint, on the thread that uses it.
  static func prepare(log host: DriverServices, isEmulated: Bool) {
    // GLib reads and changes the environment from any thread; here it has none yet.
    if isEmulated { unsafe setenv("FP_DEVICE_EMULATION", "1", 1) }
    let isFirst = log.withLock { log in
      defer { log = host }
      return log == nil
    }
    // GLib accepts one writer in the life of a process.
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
    // These go to the standard streams otherwise, which are not a plugin's. What libusb has to say
    // comes to us as errors.
    unsafe libusb_set_log_cb(nil, { _, _, _ in }, Int32(LIBUSB_LOG_CB_GLOBAL.rawValue))
    let drop: GPrintFunc = { _ in }
    unsafe g_set_print_handler(drop)
    unsafe g_set_printerr_handler(drop)
  }

  /// nil for what libfprint says while it is debugged: every transfer, with its bytes.
  private static func importance(of level: GLogLevelFlags) -> LogLevel? {
    func isAny(_ levels: GLogLevelFlags...) -> Bool {
      levels.contains { $0.rawValue & level.rawValue != 0 }
    }
    if isAny(G_LOG_LEVEL_ERROR) { return .error }
    if isAny(G_LOG_LEVEL_CRITICAL, G_LOG_LEVEL_WARNING) { return .warning }
    return isAny(G_LOG_LEVEL_MESSAGE) ? .info : nil
  }
}
