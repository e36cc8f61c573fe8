import AuthcoreABI
import CSystemCalls
import DriverKit
import Glibc
import PluginHosting
import Synchronization

/// The host as the checks play it, for the driver, its transport and its device model alike. Never
/// freed, as the ABI promises.
@safe
final class CheckHost: @unchecked Sendable {
  // Sendable: the tables are written in init alone, everything else is behind the Mutex.

  /// Which plugin calls.
  enum Speaker: String {
    case driver, transport, model
  }

  /// The context of a table: whose it is.
  private final class Caller: Sendable {
    let host: CheckHost
    let speaker: Speaker

    init(_ host: CheckHost, _ speaker: Speaker) {
      (self.host, self.speaker) = (host, speaker)
    }

    /// The value behind a context, which lives as long as the process.
    @unsafe static func at(_ context: UnsafeMutableRawPointer?) -> Caller? {
      unsafe context.map { unsafe Unmanaged<Caller>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private struct State {
    var message: String?
    /// What each wrote to the log last.
    var lastLines: [Speaker: String] = [:]
    /// How many lines have been reported.
    var reportedLines = 0
    /// Addresses, since pointers are not Sendable.
    var services: [String: UInt] = [:]
  }

  private let state = Mutex(State())
  private let logReport: CheckReporter?

  /// Lines of the log beyond this are left out of a check's report.
  private static let mostLines = 1000

  /// Makes `clock/1`, `random/1` and `assemble/1`.
  /// - Parameter report: takes the lines of the log; nil: nobody wants them.
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

  /// A table of this host that says it is of `version`.
  @unsafe func table(version: UInt32, for speaker: Speaker) -> UnsafePointer<ac_host_t> {
    unsafe Self.immortal(
      ac_host_t(
        struct_size: UInt32(MemoryLayout<ac_host_t>.size), abi_version: version,
        // Lives as long as the process: the table does.
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

  /// Offers a service; nil: no longer.
  func provide(_ name: String, _ table: UnsafeRawPointer?) {
    let address = UInt(bitPattern: table)
    state.withLock { $0.services[name] = address }
  }

  private func hear(_ speaker: Speaker, _ level: ac_log_level_t, _ text: String) {
    let number = state.withLock { state in
      state.lastLines[speaker] = text
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

  /// What one of the plugins wrote to the log last.
  func lastLine(of speaker: Speaker) -> String? { state.withLock { $0.lastLines[speaker] } }

  /// The message set since the last look.
  func takeMessage() -> String? { state.withLock { $0.message.take() } }

  /// A copy that is never freed.
  @unsafe static func immortal<Value>(_ value: Value) -> UnsafePointer<Value> {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe memory.initialize(to: value)
    return unsafe UnsafePointer(memory)
  }
}
