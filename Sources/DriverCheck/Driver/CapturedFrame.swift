import AuthcoreABI

/// A frame that a driver delivered, checked against sensor.h. Its pixels are still the driver's.
@safe
struct CapturedFrame {
  let width: UInt32
  let height: UInt32
  private let pixels: UnsafePointer<UInt8>
  private let count: Int
  /// Of the pixels as they were delivered.
  private let sum: UInt64

  /// - Throws: the first rule of `ac_frame_t` that it breaks.
  @unsafe init(
    _ frame: ac_frame_t, of description: UnsafePointer<ac_sensor_description_t>?
  ) throws(CheckEnd) {
    let (width, height) = unsafe (frame.width_px, frame.height_px)
    guard 1...4096 ~= width, 1...4096 ~= height else {
      throw .failed(
        "a frame is \(width) × \(height) pixels",
        advice: "1 to AC_FRAME_MAX_SIDE (4096) each; cut or scale in the driver")
    }
    guard unsafe 100...2000 ~= frame.ppi else {
      throw unsafe .failed(
        "a frame has \(frame.ppi) ppi", advice: "AC_FRAME_MIN_PPI (100) to AC_FRAME_MAX_PPI (2000)")
    }
    guard unsafe frame.pixel_count == Int(width) * Int(height) else {
      throw unsafe .failed(
        "a frame of \(width) × \(height) pixels says that it has \(frame.pixel_count)",
        advice: "pixel_count is width_px * height_px, without padding")
    }
    guard unsafe frame.flags & ~7 == 0 else {
      throw unsafe .failed(
        "a frame has the flags \(frame.flags)", advice: "only AC_FRAME_… are known")
    }
    guard FrameMemory.firstSize...FrameMemory.size ~= Int(unsafe frame.struct_size) else {
      throw unsafe .failed(
        "a frame says that its struct has \(frame.struct_size) bytes",
        advice: "leave struct_size as the caller set it")
    }
    guard let pixels = unsafe frame.pixels else { throw .failed("a frame has no pixels") }
    if unsafe Int(frame.struct_size) == FrameMemory.size { try unsafe Self.checkExtents(frame) }
    if let described = unsafe description?.pointee {
      for (name, promised, delivered) in unsafe [
        ("width", described.width_px, width), ("height", described.height_px, height),
        ("ppi", described.ppi, frame.ppi),
      ] where promised != 0 && promised != delivered {
        throw .failed(
          "a frame has the \(name) \(delivered), the description promises \(promised)",
          advice: "describe 0 where it varies")
      }
    }
    self.width = width
    self.height = height
    unsafe self.pixels = pixels
    count = Int(width) * Int(height)
    sum = unsafe Self.sum(pixels, count)
  }

  /// Where the frame says that it ends.
  private static func checkExtents(_ frame: ac_frame_t) throws(CheckEnd) {
    guard unsafe frame.extents != nil || frame.extent_count > 0 else { return }
    guard unsafe frame.extent_count == Int(frame.height_px), let rows = unsafe frame.extents else {
      throw unsafe .failed(
        "a frame of \(frame.height_px) rows has \(frame.extent_count) row extents",
        advice: "one for each row, or extents NULL and extent_count 0")
    }
    for row in 0..<(unsafe frame.extent_count) {
      let extent = unsafe rows[row]
      guard extent.first <= extent.end, unsafe extent.end <= frame.width_px else {
        throw .failed(
          "the extent of row \(row) of a frame goes from \(extent.first) to \(extent.end)",
          advice: "first <= end <= width_px; end is the column after the last")
      }
    }
  }

  /// Whether the pixels are what they were when they were delivered.
  var isUnchanged: Bool { unsafe Self.sum(pixels, count) == sum }

  /// Fletcher's idea: the order counts as well as the values.
  private static func sum(_ pixels: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    var (first, second): (UInt64, UInt64) = (0, 0)
    for index in 0..<count {
      first &+= UInt64(unsafe pixels[index])
      second &+= first
    }
    return first ^ second << 24
  }
}
