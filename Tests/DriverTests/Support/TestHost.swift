import AuthcoreABI
import Synchronization

/// The host's side of the ABI for one test: a clock, services, and what the plugin says.
///
/// A plugin knows one host for as long as the process lives, and tests run at the same time; so
/// there is one table, whose functions find the host of the running test as a task-local value.
final class TestHost: Sendable {
  @TaskLocal static var current: TestHost?

  let clock = VirtualClock()
  private let state = Mutex<State>(State())

  private struct State {
    var log: [String] = []
    var message = ""
    /// Addresses, since a pointer is not Sendable.
    var services: [String: UInt] = [:]
    var lifts = 0
  }

  /// Of the failure returned last.
  var message: String { state.withLock { $0.message } }
  /// Every line that was logged.
  var log: [String] { state.withLock { $0.log } }

  /// How often the person was asked to lift the finger.
  var lifts: Int { state.withLock { $0.lifts } }

  private static let lift = unsafe Table(
    ac_lift_service_t(
      struct_size: UInt32(MemoryLayout<ac_lift_service_t>.size), context: nil,
      ask: { _ in TestHost.current?.state.withLock { $0.lifts += 1 } }))

  private init() {
    unsafe provide("lift/1", Self.lift.pointer)
    unsafe provide("clock/1", VirtualClock.service.pointer)
    unsafe provide("random/1", TestRandom.service.pointer)
  }

  /// Makes a host and runs a test's body with it.
  static func run<R>(_ body: (TestHost) throws -> R) throws -> R {
    let host = TestHost()
    return try $current.withValue(host) { try body(host) }
  }

  /// Offers a service from here on. The table must live as long as this host.
  @unsafe func provide(_ name: String, _ table: UnsafeRawPointer) {
    let address = UInt(bitPattern: table)
    state.withLock { $0.services[name] = address }
  }

  /// The host's table of sensor ABI 1.0.
  @safe static let table = unsafe makeTable(version: 1 << 16)
  /// The same of a later minor version.
  @safe static let newerTable = unsafe makeTable(version: 1 << 16 | 9)
  /// The same of another major version.
  @safe static let otherTable = unsafe makeTable(version: 2 << 16)

  private static func makeTable(version: UInt32) -> Table<ac_host_t> {
    unsafe Table(
      ac_host_t(
        struct_size: UInt32(MemoryLayout<ac_host_t>.size), abi_version: version, context: nil,
        log: { _, _, text in
          guard let text = unsafe text else { return }
          let line = unsafe String(cString: text)
          TestHost.current?.state.withLock { $0.log.append(line) }
        },
        set_error: { _, text in
          guard let text = unsafe text else { return }
          let line = unsafe String(cString: text)
          TestHost.current?.state.withLock { $0.message = line }
        },
        service: { _, name in
          guard let name = unsafe name else { return nil }
          let wanted = unsafe String(cString: name)
          let address = TestHost.current?.state.withLock { $0.services[wanted] }
          return unsafe UnsafeRawPointer(bitPattern: address ?? 0)
        }))
  }
}

/// A clock whose time passes only by sleeping, so that no test waits.
final class VirtualClock: Sendable {
  private let state = Mutex<State>(State())

  private struct State {
    var now: UInt64 = 1_000_000_000
    var alarm: (time: UInt64, action: @Sendable () -> Void)?
  }

  var now: UInt64 { state.withLock { $0.now } }

  /// Runs `action` in the first sleep that reaches this time from now on.
  func after(milliseconds: UInt64, _ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.alarm = ($0.now + milliseconds * 1_000_000, action) }
  }

  func sleep(_ nanoseconds: UInt64) {
    let due = state.withLock { state -> (@Sendable () -> Void)? in
      state.now += nanoseconds
      guard let alarm = state.alarm, alarm.time <= state.now else { return nil }
      state.alarm = nil
      return alarm.action
    }
    due?()
  }

  /// `clock/1`.
  @safe static let service = Table(
    ac_clock_service_t(
      struct_size: UInt32(MemoryLayout<ac_clock_service_t>.size),
      boot_time_ns: { TestHost.current?.clock.now ?? 0 },
      wall_clock_s: { 0 },
      sleep_ns: { nanoseconds in
        TestHost.current?.clock.sleep(nanoseconds)
        return ac_status_t(AC_OK)
      }))
}

/// A C table that is never freed, as the ABI promises.
@safe struct Table<Value>: @unchecked Sendable {
  // Unchecked: written once, before it is shared.
  let pointer: UnsafePointer<Value>

  init(_ value: Value) {
    let copy = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe copy.initialize(to: value)
    unsafe pointer = unsafe UnsafePointer(copy)
  }
}

/// `random/1` of a test, which always gives the same bytes.
enum TestRandom {
  static let byte: UInt8 = 0xA5

  @safe static let service = unsafe Table(
    ac_random_service_t(
      struct_size: UInt32(MemoryLayout<ac_random_service_t>.size),
      fill: { bytes, count in
        for index in 0..<count { unsafe bytes?[index] = byte }
        return ac_status_t(AC_OK)
      }))
}
