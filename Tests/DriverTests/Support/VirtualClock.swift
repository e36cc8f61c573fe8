import AuthcoreABI
import Synchronization

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

  /// `clock/1`, for ever.
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

/// A C table for ever, as the ABI promises services to be.
@safe struct Table<Value>: @unchecked Sendable {
  // Unchecked: written once, before it is shared.
  let pointer: UnsafePointer<Value>

  init(_ value: Value) {
    let copy = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe copy.initialize(to: value)
    unsafe pointer = unsafe UnsafePointer(copy)
  }
}
