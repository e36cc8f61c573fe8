internal import AuthcoreABI

/// The hosting process's own clock, `clock/1`. In tests it is a virtual one, so a driver must use
/// no other.
@safe public struct HostClock: @unchecked Sendable {
  // Unchecked: the table lives until the process ends and never changes. boot_time_ns is [any];
  // sleep is called on the owner's thread only, because only a driver's own call gets there.
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
    let nanoseconds = bootTime()
    return .seconds(Int64(nanoseconds / 1_000_000_000))
      + .nanoseconds(Int64(nanoseconds % 1_000_000_000))
  }

  /// Waits; a negative or zero duration returns at once. On the owner's thread. A wait of more than
  /// 50 ms belongs to ``Interruption/wait(for:on:)``, which hears the host's interrupt.
  ///
  /// - Throws: ``SensorFailure/Code/interrupted`` when the host ends the work.
  public func sleep(for duration: Duration) throws(SensorFailure) {
    guard duration > .zero else { return }
    let (seconds, attoseconds) = duration.components
    // A day is more than any driver sleeps and keeps the product far from overflow.
    let nanoseconds =
      UInt64(min(seconds, 86_400)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    let status = sleep(nanoseconds)
    guard status == ac_status_t(AC_OK) else {
      throw SensorFailure(.interrupted, "The host ended the work")
    }
  }
}
