import LinuxSystem

/// The `sleep_ns` of "clock/1", and how a host that ends the work wakes the one thread that sleeps.
package enum InterruptibleSleep {
  private static let isInterrupted = Guarded(false)

  /// Waits; false when it was woken. Returns at once while an interruption stands.
  static func sleep(nanoseconds: UInt64) -> Bool {
    isInterrupted.wait(nanoseconds: nanoseconds) { $0 ? true : nil } == nil
  }

  /// Wakes the sleeper and keeps others from falling asleep. Any thread.
  package static func interrupt() { isInterrupted.update { $0 = true } }

  /// What was interrupted is over.
  package static func resume() { isInterrupted.update { $0 = false } }
}
