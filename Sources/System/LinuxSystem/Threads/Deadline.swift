import Glibc

/// A moment by CLOCK_MONOTONIC until which something may take, as `poll(2)` wants it.
package struct Deadline: Sendable {
  private let nanoseconds: UInt64?

  /// - Parameter milliseconds: from this moment on; negative: never.
  package init(milliseconds: Int32) {
    nanoseconds = milliseconds < 0 ? nil : Self.now + UInt64(milliseconds) * 1_000_000
  }

  /// Nanoseconds of CLOCK_MONOTONIC.
  package static var now: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// What is left, rounded up; 0 when it has passed, -1 when it never does.
  package var remainingMilliseconds: Int32 {
    guard let nanoseconds else { return -1 }
    let now = Self.now
    guard nanoseconds > now else { return 0 }
    return Int32(clamping: (nanoseconds - now + 999_999) / 1_000_000)
  }
}
