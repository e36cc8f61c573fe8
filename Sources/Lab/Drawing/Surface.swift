internal import CCairo

/// What a canvas draws on: pixels, or the file of a vector drawing.
///
/// Only this and ``Canvas`` have pointers: cairo's own, each made in an `init`, released in the
/// `deinit`, and never handed out of the module. A surface that could not be made reports its error
/// (cairo's rule), so nothing here is nil.
@safe final class Surface {
  let pointer: OpaquePointer

  /// What a vector surface writes; complete once the surface is finished.
  private let written = ByteSink()

  init(pixelsWide width: Int, high height: Int) {
    unsafe pointer = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
  }

  init(vectorsWide width: Double, high height: Double) {
    // The surface is finished before `written` goes: by `svg`, or by `deinit`, which comes first.
    unsafe pointer = cairo_svg_surface_create_for_stream(
      ByteSink.take, Unmanaged.passUnretained(written).toOpaque(), width, height)
  }

  init(_ raster: Raster) {
    unsafe pointer = cairo_image_surface_create(
      CAIRO_FORMAT_RGB24, Int32(raster.width), Int32(raster.height))
    guard let data = unsafe cairo_image_surface_get_data(pointer) else { return }
    let stride = unsafe Int(cairo_image_surface_get_stride(pointer))
    let row = raster.width * MemoryLayout<UInt32>.stride
    precondition(stride >= row, "cairo's rows hold fewer pixels than asked for")
    unsafe cairo_surface_flush(pointer)
    // A row of cairo's has `stride` bytes, of which the first `row` are pixels, as in the raster.
    unsafe raster.pixels.withUnsafeBytes { source in
      for y in 0..<raster.height {
        let pixels = unsafe UnsafeRawBufferPointer(rebasing: source[y * row..<(y + 1) * row])
        unsafe UnsafeMutableRawBufferPointer(start: data + y * stride, count: row)
          .copyMemory(from: pixels)
      }
    }
    unsafe cairo_surface_mark_dirty(pointer)
  }

  deinit { unsafe cairo_surface_destroy(pointer) }

  func png() throws(DrawingError) -> [UInt8] {
    let sink = ByteSink()
    let status = unsafe cairo_surface_write_to_png_stream(
      pointer, ByteSink.take, Unmanaged.passUnretained(sink).toOpaque())
    try Self.check(status, "make a PNG file")
    return sink.bytes
  }

  /// The vector drawing as an SVG file; nothing can be drawn afterwards.
  func svg() throws(DrawingError) -> [UInt8] {
    unsafe cairo_surface_finish(pointer)
    try Self.check(unsafe cairo_surface_status(pointer), "make an SVG file")
    return written.bytes
  }

  static func check(_ status: cairo_status_t, _ doing: String) throws(DrawingError) {
    guard status != CAIRO_STATUS_SUCCESS else { return }
    let reason = unsafe cairo_status_to_string(status).map { unsafe String(cString: $0) }
    throw DrawingError(doing, reason: reason ?? "unknown error")
  }
}

private final class ByteSink {
  private(set) var bytes: [UInt8] = []

  /// Called by cairo with the sink it was given and some bytes.
  static let take: cairo_write_func_t = { sink, data, count in
    guard let sink = unsafe sink, let data = unsafe data else { return CAIRO_STATUS_WRITE_ERROR }
    // The caller of cairo keeps the sink until cairo is done with it.
    let gatherer = unsafe Unmanaged<ByteSink>.fromOpaque(sink).takeUnretainedValue()
    unsafe gatherer.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
    return CAIRO_STATUS_SUCCESS
  }
}

/// Opaque colored pixels, row-major from the top left.
struct Raster: Hashable, Sendable {
  let width: Int
  let height: Int
  /// `width * height` values `0x00RRGGBB`.
  private(set) var pixels: [UInt32]

  /// A raster of one color, without opacity.
  ///
  /// - Precondition: Both sides are in 1...``Drawing/maximumSide``.
  init(width: Int, height: Int, filledWith color: Color = .white) {
    precondition((1...Drawing.maximumSide).contains(width), "a raster \(width) pixels wide")
    precondition((1...Drawing.maximumSide).contains(height), "a raster \(height) pixels high")
    (self.width, self.height) = (width, height)
    pixels = Array(repeating: Self.packed(color), count: width * height)
  }

  /// A raster of the color of each pixel, without opacity.
  init(width: Int, height: Int, color: (_ x: Int, _ y: Int) -> Color) {
    self.init(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { pixels[y * width + x] = Self.packed(color(x, y)) }
    }
  }

  private static func packed(_ color: Color) -> UInt32 {
    func byte(_ part: Double) -> UInt32 { UInt32((min(max(part, 0), 1) * 255).rounded()) }
    return byte(color.red) << 16 | byte(color.green) << 8 | byte(color.blue)
  }
}
