internal import AuthcoreABI
internal import Synchronization

/// The host's wish that a capture returns. Asked for on any thread, taken on the owner's.
@safe public final class Interruption: Sendable {
  private let isRequested = Atomic<Bool>(false)
  // The table of usb/1, once the driver has taken it: its interrupt ends a transfer that blocks.
  // nonisolated(unsafe): the table lives until the process ends and its interrupt is [any] (usb.h).
  nonisolated(unsafe) private let usb = unsafe Atomic<UnsafePointer<ac_usb_service_t>?>(nil)

  // Of a transport that waits in the kernel: brings its thread back to ``check()``.
  private let alarm = Mutex<(@Sendable () -> Void)?>(nil)

  init() {}

  /// From here on a request also calls `action`, which must not block, on the thread that asks.
  public func onRequest(_ action: @escaping @Sendable () -> Void) {
    alarm.withLock { $0 = action }
  }

  /// Asks. Never blocks; a request that nobody waits for is taken by the next capture. On any
  /// thread.
  public func request() {
    // In this order, so that a transfer reported as interrupted always finds the request.
    isRequested.store(true, ordering: .sequentiallyConsistent)
    if let service = unsafe usb.load(ordering: .sequentiallyConsistent) {
      unsafe service.pointee.interrupt(service.pointee.device)
    }
    alarm.withLock { $0 }?()
  }

  /// From here on a request also ends the blocking calls of this device.
  func forward(to service: UnsafePointer<ac_usb_service_t>) {
    unsafe usb.store(service, ordering: .sequentiallyConsistent)
  }

  /// Takes the request, if there is one.
  func take() -> Bool {
    isRequested.exchange(false, ordering: .sequentiallyConsistent)
  }

  /// Returns unless an interrupt was asked for; a driver that computes for long calls it now and
  /// then.
  ///
  /// - Throws: ``SensorFailure/Code/interrupted``, once for each request.
  public func check() throws(SensorFailure) {
    if take() { throw SensorFailure(.interrupted, "The capture was interrupted") }
  }

  /// Waits, and hears an interrupt within 20 ms.
  ///
  /// - Throws: ``SensorFailure/Code/interrupted``.
  public func wait(for duration: Duration, on clock: HostClock) throws(SensorFailure) {
    let end = clock.now() + duration
    while true {
      try check()
      let left = end - clock.now()
      guard left > .zero else { return }
      try clock.sleep(for: min(left, .milliseconds(20)))
    }
  }
}
