internal import Glibc

/// A moment of the kernel's clock: transfers end by that, whatever a host calls the time.
struct Instant: Comparable {
  private let nanoseconds: Int64

  private init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// `CLOCK_BOOTTIME` of `clock_gettime(2)`
  static var now: Instant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  static func + (instant: Instant, duration: Duration) -> Instant {
    let (seconds, attoseconds) = duration.components
    // Ten years keep the sum far from overflow.
    let bounded = min(max(seconds, 0), 315_360_000)
    return Instant(
      nanoseconds: instant.nanoseconds + bounded * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  static func - (end: Instant, start: Instant) -> Duration {
    .nanoseconds(end.nanoseconds - start.nanoseconds)
  }

  static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
