internal import CLibfprint

/// A capture that libfprint was asked for, until it has come to an end.
///
/// libfprint may take seconds to end one that was cancelled, so it is waited for only as long as
/// the caller likes, on the caller's thread, whose GLib main context runs meanwhile. Nothing of
/// GLib is touched from another thread.
@safe final class PendingCapture {
  private let device: UnsafeMutablePointer<FpDevice>
  private let cancellable: UnsafeMutablePointer<GCancellable>?
  private var result: OpaquePointer?

  /// How often ``run(while:)`` asks whether to go on, in milliseconds.
  private static let interval: guint = 20

  /// Begins. `device` outlives this value.
  init(on device: UnsafeMutablePointer<FpDevice>) {
    unsafe self.device = unsafe device
    unsafe cancellable = g_cancellable_new()
    unsafe fp_device_capture(
      device, 1, cancellable,
      { _, result, capture in
        guard let capture = unsafe capture, let result = unsafe result else { return }
        // Retained below, for this one call.
        let pending = unsafe Unmanaged<PendingCapture>.fromOpaque(capture).takeRetainedValue()
        unsafe g_object_ref(UnsafeMutableRawPointer(result))
        unsafe pending.result = unsafe result
      }, Unmanaged.passRetained(self).toOpaque())
  }

  deinit {
    if let result = unsafe result { unsafe g_object_unref(UnsafeMutableRawPointer(result)) }
    unsafe g_object_unref(cancellable)
  }

  /// Whether it has come to an end.
  var isOver: Bool { unsafe result != nil }

  /// Whether the reader waits for a finger or sees one, rather than being readied.
  var awaitsFinger: Bool {
    unsafe fp_device_get_finger_status(device) != FP_FINGER_STATUS_NONE
  }

  /// Asks for the end.
  func cancel() {
    unsafe g_cancellable_cancel(cancellable)
  }

  /// Runs the main context until the capture is over, or `goesOn` says no. It is asked 50 times a
  /// second.
  func run(while goesOn: () -> Bool) {
    let alarm = unsafe g_timeout_add(Self.interval, { _ in 1 }, nil)
    defer { g_source_remove(alarm) }
    while !isOver && goesOn() {
      g_main_context_iteration(nil, 1)
    }
  }

  /// What came of it, once it is over. Asked once.
  func outcome() -> Result<LibfprintImage, LibfprintProblem> {
    var error: UnsafeMutablePointer<GError>?
    guard
      let result = unsafe result,
      let image = unsafe fp_device_capture_finish(device, result, &error)
    else { return unsafe .failure(LibfprintProblem(taking: error)) }
    return unsafe .success(LibfprintImage(taking: image))
  }
}
