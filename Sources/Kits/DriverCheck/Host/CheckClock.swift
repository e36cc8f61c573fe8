import AuthcoreABI
import Glibc
import LinuxSystem

/// `clock/1` of the checks. Its time passes only by sleeping, so that a device that is silent for a
/// minute costs nothing; where threads are looked at, it is the real one.
enum CheckClock {
  private struct State: Sendable {
    var isReal = false
    var isInterrupted = false
    /// Nanoseconds; the real clock's once it is real.
    var virtual: UInt64 = 1_000_000_000
  }

  private static let state = Guarded(State())

  /// What one look at the virtual clock takes: a driver that waits by looking must come to an end.
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

  /// From here on it is the kernel's clock.
  static func becomeReal() { state.update { $0.isReal = true } }

  /// Wakes whoever sleeps, as the host does before it calls the driver's interrupt.
  static func interrupt() { state.update { $0.isInterrupted = true } }

  /// The next call begins.
  static func resume() { state.update { $0.isInterrupted = false } }

  static let service = ac_clock_service_t(
    struct_size: UInt32(MemoryLayout<ac_clock_service_t>.size),
    boot_time_ns: { CheckClock.now() },
    wall_clock_s: { Int64(CheckClock.now() / 1_000_000_000) },
    sleep_ns: { nanoseconds in
      CheckClock.sleep(nanoseconds) ? ac_status_t(AC_OK) : ac_status_t(AC_ERR_INTERRUPTED)
    })
}
