import Glibc

/// Time since boot, suspended time included, so that a laptop that slept for an hour has been idle
/// for an hour.
package struct BootClock: Sendable {
  /// Nanoseconds since boot. Any thread.
  package let now: @Sendable () -> UInt64

  /// A clock of one's own, for tests.
  package init(now: @escaping @Sendable () -> UInt64) { self.now = now }

  /// CLOCK_BOOTTIME of the kernel (`clock_gettime(2)`).
  package static let system = BootClock {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
