internal import CLibfprint
internal import SensorKit

/// A capture of libfprint that is under way.
///
/// libfprint may take seconds to end a cancelled one, so the caller decides how long to wait. The
/// wait runs the GLib main context of the caller's thread. GLib is used on no other thread.
@safe final class PendingCapture {
  private let device: UnsafeMutablePointer<FpDevice>
  private let cancellable: UnsafeMutablePointer<GCancellable>?
  private var result: OpaquePointer?

  /// Milliseconds between two calls of `goesOn` in ``run(while:)``.
  private static let interval: guint = 20

  /// Begins the capture. `device` outlives this value.
  init(on device: UnsafeMutablePointer<FpDevice>) {
    unsafe self.device = unsafe device
    unsafe cancellable = g_cancellable_new()
    unsafe fp_device_capture(
      device, 1, cancellable,
      { _, result, capture in
        guard let capture = unsafe capture, let result = unsafe result else { return }
        // Retained below, for this call.
        let pending = unsafe Unmanaged<PendingCapture>.fromOpaque(capture).takeRetainedValue()
        unsafe g_object_ref(UnsafeMutableRawPointer(result))
        unsafe pending.result = unsafe result
      }, Unmanaged.passRetained(self).toOpaque())
  }

  deinit {
    if let result = unsafe result { unsafe g_object_unref(UnsafeMutableRawPointer(result)) }
    unsafe g_object_unref(cancellable)
  }

  var isOver: Bool { unsafe result != nil }

  /// Whether the reader waits for a finger or sees one, rather than being readied.
  var awaitsFinger: Bool {
    unsafe fp_device_get_finger_status(device) != FP_FINGER_STATUS_NONE
  }

  func cancel() {
    unsafe g_cancellable_cancel(cancellable)
  }

  /// Runs the main context until the capture is over or `goesOn`, which is called 50 times a
  /// second, returns false.
  func run(while goesOn: () -> Bool) {
    let alarm = unsafe g_timeout_add(Self.interval, { _ in 1 }, nil)
    defer { g_source_remove(alarm) }
    while !isOver && goesOn() {
      g_main_context_iteration(nil, 1)
    }
  }

  /// The result. Call it once, after the capture is over.
  func outcome() -> Result<LibfprintImage, LibfprintProblem> {
    var error: UnsafeMutablePointer<GError>?
    guard
      let result = unsafe result,
      let image = unsafe fp_device_capture_finish(device, result, &error)
    else { return unsafe .failure(LibfprintProblem(taking: error)) }
    return unsafe .success(LibfprintImage(taking: image))
  }
}

/// An image of libfprint.
@safe final class LibfprintImage {
  private let image: OpaquePointer

  init(taking image: OpaquePointer) {
    unsafe self.image = unsafe image
  }

  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(image)) }

  /// The pixels are upright, with dark ridges: libfprint turns every image before it looks for
  /// minutiae.
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

  /// If libfprint does not know the resolution, it assumes 19.685 pixels per millimeter, 500 per
  /// inch.
  private static func pixelsPerInch(perMillimeter: Double) -> Int {
    let perInch = (perMillimeter * 25.4).rounded()
    return 100...2000 ~= perInch ? Int(perInch) : 500
  }
}
