internal import AuthcoreABI
internal import Glibc

/// The host that loaded this plugin, and what it offers: log, clock, and services by name.
///
/// Valid from the entry call until the process ends. The log may be written on any thread.
@safe public struct DriverServices: @unchecked Sendable {
  // Unchecked: common.h promises that the table lives until the process ends and never changes, and
  // marks log and service [any].
  private let table: UnsafePointer<ac_host_t>

  /// Returns nil if the host's table is older than this plugin needs.
  init?(_ table: UnsafePointer<ac_host_t>) {
    let needed = unsafe MemoryLayout<ac_host_t>.offset(of: \ac_host_t.service).map {
      $0 + MemoryLayout<UInt>.size
    }
    guard let needed, unsafe Int(table.pointee.struct_size) >= needed else { return nil }
    unsafe self.table = unsafe table
  }

  /// Writes a line to the host's log, of which at most 1,024 bytes are kept. Never log secrets,
  /// prints or frames.
  public func log(_ level: LogLevel, _ text: String) {
    guard let log = unsafe table.pointee.log else { return }
    unsafe log(table.pointee.context, level.rawValue, SingleLine.text(text))
  }

  /// The clock of the hosting process.
  ///
  /// - Throws: ``SensorFailure/Code/unsupported`` if the host has none, as while a driver is only
  ///   described.
  public func clock() throws(SensorFailure) -> HostClock {
    guard
      let service = unsafe service("clock/1", as: ac_clock_service_t.self),
      let clock = unsafe HostClock(service)
    else { throw SensorFailure(.unsupported, "The host offers no clock (service clock/1)") }
    return clock
  }

  /// The kernel's random numbers.
  ///
  /// - Throws: ``SensorFailure/Code/unsupported`` if the host has none.
  public func random() throws(SensorFailure) -> RandomSource {
    guard
      let service = unsafe service("random/1", as: ac_random_service_t.self),
      let source = unsafe RandomSource(service)
    else {
      throw SensorFailure(.unsupported, "The host offers no random numbers (service random/1)")
    }
    return source
  }

  /// Has the person lift the finger that keeps a capture, a touch or an identification from going on,
  /// `lift/1`. On the owner's thread only.
  public func askToLift() {
    guard let lift = unsafe service(AC_LIFT_SERVICE, as: ac_lift_service_t.self) else { return }
    unsafe lift.pointee.ask?(lift.pointee.context)
  }

  /// Sets the message for the failure that is about to be returned, on the owner's thread only. An
  /// empty message leaves the previous one.
  func setError(_ message: String) {
    guard !message.isEmpty, let setError = unsafe table.pointee.set_error else { return }
    unsafe setError(table.pointee.context, SingleLine.text(message))
  }

  /// Runs a call of the C table, and turns a failure into its status and message.
  func report(_ call: () throws(SensorFailure) -> ac_status_t) -> ac_status_t {
    do throws(SensorFailure) {
      return try call()
    } catch {
      setError(error.message)
      return error.status
    }
  }

  /// A service's table, or nil if the host does not have it. `Table` must be the C type of that
  /// service.
  @unsafe func service<Table>(_ name: String, as _: Table.Type) -> UnsafePointer<Table>? {
    guard
      let service = unsafe table.pointee.service,
      let found = unsafe service(table.pointee.context, name)
    else { return nil }
    return unsafe found.assumingMemoryBound(to: Table.self)
  }
}

/// Who a line of the log is for.
public enum LogLevel: Int32, Sendable {
  /// For the plugin's author.
  case debug = 0
  /// For the administrator; nothing is wrong.
  case info = 1
  /// The device did something odd, and work goes on.
  case warning = 2
  /// The call that is under way will fail.
  case error = 3
}

/// Text as it crosses the ABI: UTF-8 without line breaks or other control characters.
enum SingleLine {
  /// Replaces each control character by a space, so that a file's name or a device's answer cannot
  /// forge a second line in a log.
  static func text(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
        ? " " : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

/// The host's clock, `clock/1`. In tests it is a virtual one, so a driver must use no other.
@safe public struct HostClock: @unchecked Sendable {
  // Unchecked: the table lives until the process ends and never changes. boot_time_ns is [any];
  // sleep is called on the owner's thread only, in the driver's own calls.
  private let bootTime: @convention(c) () -> UInt64
  private let sleep: @convention(c) (UInt64) -> ac_status_t

  init?(_ service: UnsafePointer<ac_clock_service_t>) {
    let table = unsafe service.pointee
    guard
      Int(table.struct_size) >= MemoryLayout<ac_clock_service_t>.size,
      let bootTime = table.boot_time_ns, let sleep = table.sleep_ns
    else { return nil }
    (self.bootTime, self.sleep) = (bootTime, sleep)
  }

  /// Time since boot, suspended time included (`CLOCK_BOOTTIME`).
  public func now() -> Duration {
    .nanoseconds(Int64(clamping: bootTime()))
  }

  /// Waits, on the owner's thread. For more than 50 ms use ``Interruption/wait(for:on:)``, which
  /// hears the host's interrupt.
  ///
  /// - Throws: ``SensorFailure/Code/interrupted`` if the host ends the work.
  public func sleep(for duration: Duration) throws(SensorFailure) {
    guard duration > .zero else { return }
    // A day is more than any driver sleeps.
    guard sleep(min(duration, .seconds(86_400)).wholeNanoseconds) == ac_status_t(AC_OK) else {
      throw SensorFailure(.interrupted, "The host ended the work")
    }
  }
}

/// The kernel's random number generator, `random/1`.
@safe public struct RandomSource: @unchecked Sendable {
  // Unchecked: the table lives until the process ends and never changes; fill is [any].
  private let fill: @convention(c) (UnsafeMutablePointer<UInt8>?, Int) -> ac_status_t

  init?(_ service: UnsafePointer<ac_random_service_t>) {
    let table = unsafe service.pointee
    guard
      Int(table.struct_size) >= MemoryLayout<ac_random_service_t>.size,
      let fill = unsafe table.fill
    else { return nil }
    unsafe self.fill = unsafe fill
  }

  /// An unpredictable number.
  ///
  /// - Throws: ``SensorFailure/Code/inputOutput`` if the kernel refuses.
  public func next() throws(SensorFailure) -> UInt32 {
    var bytes = [UInt8](repeating: 0, count: 4)
    let status = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      unsafe fill(bytes.baseAddress, bytes.count)
    }
    guard status == ac_status_t(AC_OK) else {
      throw SensorFailure(.inputOutput, "The kernel gives no random numbers")
    }
    return bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
