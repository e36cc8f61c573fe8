import AuthcoreABI
import CSystemCalls
import DriverKit
import Glibc
import LinuxSystem
import PluginHosting
import Synchronization

/// The host of the driver, its transport and its device model. Never freed, as the ABI promises.
@safe
final class CheckHost: @unchecked Sendable {
  // Sendable: all state is behind the Mutex.

  enum Speaker: String {
    case driver, transport, model
  }

  /// The context of a table: which plugin has it.
  private final class Caller: Sendable {
    let host: CheckHost
    let speaker: Speaker

    init(_ host: CheckHost, _ speaker: Speaker) {
      (self.host, self.speaker) = (host, speaker)
    }

    /// The value behind a context, which lives until the process ends.
    @unsafe static func at(_ context: UnsafeMutableRawPointer?) -> Caller? {
      unsafe context.map { unsafe Unmanaged<Caller>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private struct State {
    var message: String?
    /// The last line of each in the log, and the last one of each level.
    var lastLines: [Speaker: String] = [:]
    var lastLinesByLevel: [Speaker: [ac_log_level_t: String]] = [:]
    var reportedLines = 0
    /// Addresses, since pointers are not Sendable.
    var services: [String: UInt] = [:]
  }

  private let state = Mutex(State())
  private let logReport: CheckReporter?

  /// The most lines of the log in a check's report.
  private static let mostLines = 1000

  /// - Parameter report: takes the lines of the log, if they are wanted.
  init(reportingLogTo report: CheckReporter? = nil) {
    logReport = report
    unsafe provide(
      AC_ASSEMBLE_SERVICE, UnsafeRawPointer(Self.immortal(AssembleService.table())))
    unsafe provide("clock/1", UnsafeRawPointer(Self.immortal(CheckClock.service)))
    unsafe provide(
      "random/1",
      UnsafeRawPointer(
        Self.immortal(
          ac_random_service_t(
            struct_size: UInt32(MemoryLayout<ac_random_service_t>.size),
            fill: { bytes, count in
              unsafe ac_random(bytes, count) == 0 ? ac_status_t(AC_OK) : ac_status_t(AC_ERR_IO)
            }))))
  }

  /// A table that says it is of `version`.
  @unsafe func table(version: UInt32, for speaker: Speaker) -> UnsafePointer<ac_host_t> {
    unsafe Self.immortal(
      ac_host_t(
        struct_size: UInt32(MemoryLayout<ac_host_t>.size), abi_version: version,
        // Lives until the process ends, as the table does.
        context: Unmanaged.passRetained(Caller(self, speaker)).toOpaque(),
        log: { context, level, text in
          guard let caller = unsafe Caller.at(context), let text = unsafe text else { return }
          caller.host.hear(caller.speaker, level, unsafe String(cString: text))
        },
        set_error: { context, text in
          guard let caller = unsafe Caller.at(context), let text = unsafe text else { return }
          let message = unsafe String(cString: text)
          caller.host.state.withLock { $0.message = message }
        },
        service: { context, name in
          guard let caller = unsafe Caller.at(context), let name = unsafe name else { return nil }
          let wanted = unsafe String(cString: name)
          let address = caller.host.state.withLock { $0.services[wanted] }
          return unsafe UnsafeRawPointer(bitPattern: address ?? 0)
        }))
  }

  /// Offers a service, or with nil, withdraws it.
  func provide(_ name: String, _ table: UnsafeRawPointer?) {
    let address = UInt(bitPattern: table)
    state.withLock { $0.services[name] = address }
  }

  private func hear(_ speaker: Speaker, _ level: ac_log_level_t, _ text: String) {
    let number = state.withLock { state in
      state.lastLines[speaker] = text
      state.lastLinesByLevel[speaker, default: [:]][level] = text
      state.reportedLines += 1
      return state.reportedLines
    }
    guard let logReport, number <= Self.mostLines else { return }
    let isLast = number == Self.mostLines
    logReport.say(
      .log(
        CheckLogLine(
          speaker: speaker.rawValue, level: Status.logLevel(level),
          text: isLast ? "…, and further lines that are left out" : text)))
  }

  /// What a plugin wrote to the log last.
  func lastLine(of speaker: Speaker) -> String? { state.withLock { $0.lastLines[speaker] } }

  /// What it wrote last at this level.
  func lastLine(of speaker: Speaker, level: Int) -> String? {
    state.withLock { $0.lastLinesByLevel[speaker]?[ac_log_level_t(level)] }
  }

  /// The message that was set since the last call.
  func takeMessage() -> String? { state.withLock { $0.message.take() } }

  /// A copy that is never freed.
  @unsafe static func immortal<Value>(_ value: Value) -> UnsafePointer<Value> {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe memory.initialize(to: value)
    return unsafe UnsafePointer(memory)
  }
}

/// `clock/1` of the checks. Its time passes only by sleeping, so that a device that is silent for a
/// minute costs nothing. It can be made real, for checks with threads.
enum CheckClock {
  private struct State: Sendable {
    var isReal = false
    var isInterrupted = false
    /// Nanoseconds.
    var virtual: UInt64 = 1_000_000_000
  }

  private static let state = Guarded(State())

  /// What reading the virtual clock takes, so that a driver that polls it comes to an end.
  private static let look: UInt64 = 1000

  /// Nanoseconds.
  static func now() -> UInt64 {
    state.update { state in
      guard !state.isReal else { return real() }
      state.virtual += look
      return state.virtual
    }
  }

  /// CLOCK_BOOTTIME in nanoseconds.
  static func real() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Waits; false when it was interrupted.
  static func sleep(_ nanoseconds: UInt64) -> Bool {
    let isReal = state.read { $0.isReal }
    guard isReal else {
      return state.update { state in
        state.virtual = state.virtual.addingReportingOverflow(nanoseconds).partialValue
        return !state.isInterrupted
      }
    }
    return state.wait(nanoseconds: nanoseconds) { $0.isInterrupted ? true : nil } == nil
  }

  /// Makes it the kernel's clock.
  static func becomeReal() { state.update { $0.isReal = true } }

  /// Ends a sleep, as the host does before it calls the driver's interrupt.
  static func interrupt() { state.update { $0.isInterrupted = true } }

  /// Allows sleep again, for the next call.
  static func resume() { state.update { $0.isInterrupted = false } }

  static let service = ac_clock_service_t(
    struct_size: UInt32(MemoryLayout<ac_clock_service_t>.size),
    boot_time_ns: { CheckClock.now() },
    wall_clock_s: { Int64(CheckClock.now() / 1_000_000_000) },
    sleep_ns: { nanoseconds in
      CheckClock.sleep(nanoseconds) ? ac_status_t(AC_OK) : ac_status_t(AC_ERR_INTERRUPTED)
    })
}

/// A plugin that is loaded into this process. Never unloaded.
@safe struct Plugin {
  private let handle: UnsafeMutableRawPointer
  private let path: String

  /// Loads a file, which runs its constructors.
  init(_ path: String) throws(CheckEnd) {
    guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "no reason given"
      throw .failed(
        "cannot be loaded: \(reason)",
        advice: "build it as a shared object (-shared -fPIC) for this machine")
    }
    unsafe self.handle = handle
    self.path = path
  }

  /// Whether the plugin or one of its libraries defines a symbol.
  func finds(_ symbol: String) -> Bool { unsafe dlsym(handle, symbol) != nil }

  /// `Function` must be exactly the C type that include/authcore declares for the symbol.
  @unsafe func function<Function>(
    _ symbol: String, as type: Function.Type
  ) throws(CheckEnd) -> Function {
    guard let address = unsafe dlsym(handle, symbol) else {
      throw .failed("\(path) does not export \(symbol)")
    }
    return unsafe unsafeBitCast(address, to: type)
  }
}
