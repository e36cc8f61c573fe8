internal import CLibusb
internal import Glibc
internal import SensorKit
internal import Synchronization

/// A context of libusb; lives until the process ends, so that an interrupt may come at any time.
@safe struct LibusbContext: @unchecked Sendable {
  // Unchecked: the pointer never changes, and libusb locks what it points to.
  let pointer: OpaquePointer

  /// Those of this process, each made once.
  private struct Made {
    var wrapping: LibusbContext?
    var finding: LibusbContext?
  }

  private static let made = Mutex(Made())

  /// Makes the context for a device that is handed over as a descriptor, where none can be made
  /// later: a host makes its sandbox tighter after a transport's entry, and libusb needs two
  /// descriptors of its own.
  package static func prepare() {
    // Where this process is not confined it answers 0. Elsewhere the filter refuses the question or
    // is the answer.
    guard ac_is_confined() else { return }
    // What is wrong with it the opening of a device will say.
    _ = try? wrapping()
  }

  /// For devices that are handed over as a descriptor; it looks for none itself.
  static func wrapping() throws(SensorFailure) -> LibusbContext {
    try made.withLock { (made) throws(SensorFailure) in
      if let context = made.wrapping { return context }
      // Holds for the whole process (libusb 1.0.26), so a process that also finds devices must have
      // done so before.
      try LibusbFailure.check(ac_libusb_disable_discovery(), "Preparing libusb")
      let context = try LibusbContext()
      made.wrapping = context
      return context
    }
  }

  /// For devices that are found by bus and address.
  static func finding() throws(SensorFailure) -> LibusbContext {
    try made.withLock { (made) throws(SensorFailure) in
      if let context = made.finding { return context }
      let context = try LibusbContext()
      made.finding = context
      return context
    }
  }

  private init() throws(SensorFailure) {
    var context: OpaquePointer?
    try unsafe LibusbFailure.check(libusb_init(&context), "Starting libusb")
    guard let context = unsafe context else {
      throw SensorFailure(.memory, "Starting libusb gave nothing")
    }
    unsafe pointer = context
  }

  /// Lets the thread that handles events return soon. On any thread; never blocks.
  func wake() {
    unsafe libusb_interrupt_event_handler(pointer)
  }

  /// Handles what has come, or waits for it until `end`, until ``wake()``, or until `completion` is
  /// set by the callback of the transfer that is waited for.
  func handleEvents(until end: Instant?, completion: UnsafeMutablePointer<Int32>?) {
    // A minute at a time where there is no end.
    let left = max(.zero, end.map { $0 - .now } ?? .seconds(60))
    let (seconds, attoseconds) = min(left, .seconds(60)).components
    var time = timeval(
      tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    _ = unsafe libusb_handle_events_timeout_completed(pointer, &time, completion)
  }
}
