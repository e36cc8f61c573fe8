internal import AuthcoreABI
internal import Synchronization

/// The host's request that a capture return. It is made on any thread, and taken on the owner's.
@safe public final class Interruption: Sendable {
  private let isRequested = Atomic<Bool>(false)
  // The table of usb/1, once the driver has it: its interrupt ends a transfer that blocks.
  // nonisolated(unsafe): the table lives until the process ends, and interrupt is [any] (usb.h).
  nonisolated(unsafe) private let usb = unsafe Atomic<UnsafePointer<ac_usb_service_t>?>(nil)

  // Set by a transport that waits in the kernel: brings its thread back to `check`.
  private let alarm = Mutex<(@Sendable () -> Void)?>(nil)

  init() {}

  /// Makes requests also call `action`, on the requesting thread. It must not block.
  public func onRequest(_ action: @escaping @Sendable () -> Void) {
    alarm.withLock { $0 = action }
  }

  /// Makes a request, on any thread. Never blocks. If no capture is under way, the next one takes
  /// the request.
  public func request() {
    // In this order, so that a transfer reported as interrupted always finds the request.
    isRequested.store(true, ordering: .sequentiallyConsistent)
    if let service = unsafe usb.load(ordering: .sequentiallyConsistent) {
      unsafe service.pointee.interrupt(service.pointee.device)
    }
    alarm.withLock { $0 }?()
  }

  /// Makes requests also end the blocking calls of this device.
  func forward(to service: UnsafePointer<ac_usb_service_t>) {
    unsafe usb.store(service, ordering: .sequentiallyConsistent)
  }

  /// Takes the request. Returns whether there was one.
  func take() -> Bool {
    isRequested.exchange(false, ordering: .sequentiallyConsistent)
  }

  /// Throws if an interrupt was requested. A driver that computes for long calls this regularly.
  ///
  /// - Throws: ``SensorFailure/Code/interrupted``, once for each request.
  public func check() throws(SensorFailure) {
    if take() { throw SensorFailure(.interrupted, "The capture was interrupted") }
  }

  /// Waits, and notices an interrupt within 20 ms.
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
