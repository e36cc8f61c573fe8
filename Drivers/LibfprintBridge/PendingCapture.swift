internal import CLibfprint
internal import SensorKit

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

/// An image that libfprint made.
@safe final class LibfprintImage {
  private let image: OpaquePointer

  init(taking image: OpaquePointer) {
    unsafe self.image = unsafe image
  }

  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(image)) }

  /// Its pixels. They are upright already, ridges dark: libfprint turns the image before it looks
  /// for minutiae, which it does for every capture.
  func frame() throws(SensorFailure) -> Frame {
    var count: gsize = 0
    let pixels = unsafe UnsafeBufferPointer(
      start: fp_image_get_data(image, &count), count: Int(clamping: count))
    let width = unsafe fp_image_get_width(image)
    let height = unsafe fp_image_get_height(image)
    guard unsafe pixels.baseAddress != nil, count == gsize(width) * gsize(height) else {
      throw SensorFailure(
        .protocolViolation, "libfprint's image of \(width)x\(height) has \(count) pixels")
    }
    return try unsafe Frame(
      width: Int(width), height: Int(height),
      pixelsPerInch: Self.pixelsPerInch(perMillimeter: fp_image_get_ppmm(image)),
      pixels: Array(pixels))
  }

  /// libfprint takes what it does not know for 19.685 pixels per millimeter, 500 per inch.
  private static func pixelsPerInch(perMillimeter: Double) -> Int {
    let perInch = (perMillimeter * 25.4).rounded()
    return 100...2000 ~= perInch ? Int(perInch) : 500
  }
}
