import AuthcoreABI
import FrameAssembly
import Glibc

/// A frame that a driver delivered, checked against sensor.h. The driver still owns its pixels.
@safe
struct CapturedFrame {
  let width: UInt32
  let height: UInt32
  private let pixels: UnsafePointer<UInt8>
  private let count: Int
  /// The checksum of the pixels as they were delivered.
  private let sum: UInt64

  /// - Throws: the first rule of `ac_frame_t` that it breaks.
  @unsafe init(
    _ frame: ac_frame_t, of description: UnsafePointer<ac_sensor_description_t>?
  ) throws(CheckEnd) {
    guard FrameMemory.firstSize...FrameMemory.size ~= Int(unsafe frame.struct_size) else {
      throw unsafe .failed(
        "a frame says that its struct has \(frame.struct_size) bytes",
        advice: "leave struct_size as the caller set it")
    }
    guard let pixels = unsafe frame.pixels else { throw .failed("a frame has no pixels") }
    do throws(FrameFault) {
      try unsafe Self.check(frame)
    } catch {
      throw .failed("of a frame: \(error)", advice: error.advice)
    }
    let (width, height) = unsafe (frame.width_px, frame.height_px)
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
    (self.width, self.height) = (width, height)
    unsafe self.pixels = pixels
    count = Int(width) * Int(height)
    sum = unsafe Self.sum(pixels, count)
  }

  private static func check(_ frame: ac_frame_t) throws(FrameFault) {
    let shape = try unsafe FrameShape(
      width: Int(frame.width_px), height: Int(frame.height_px), pixelsPerInch: Int(frame.ppi),
      layout: FrameLayout(rawValue: frame.flags), pixelCount: frame.pixel_count)
    guard unsafe Int(frame.struct_size) == FrameMemory.size,
      unsafe frame.extents != nil || frame.extent_count > 0
    else { return }
    guard let rows = unsafe frame.extents else {
      throw .extentCount(0, rows: shape.height)
    }
    _ = try unsafe shape.showing(frame.extent_count) {
      unsafe (Int(rows[$0].first), Int(rows[$0].end))
    }
  }

  /// Whether the pixels are what they were when they were delivered.
  var isUnchanged: Bool { unsafe Self.sum(pixels, count) == sum }

  /// A checksum in Fletcher's way, in which the order counts, too.
  private static func sum(_ pixels: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    var (first, second): (UInt64, UInt64) = (0, 0)
    for index in 0..<count {
      first &+= UInt64(unsafe pixels[index])
      second &+= first
    }
    return first ^ second << 24
  }
}

extension FrameFault {
  fileprivate var advice: String {
    switch self {
    case .sides: "cut or scale in the driver to AC_FRAME_MAX_SIDE"
    case .resolution: "ppi goes from AC_FRAME_MIN_PPI to AC_FRAME_MAX_PPI"
    case .pixelCount: "pixel_count is width_px * height_px, without padding"
    case .flags: "set those that apply, or 0"
    case .extentCount: "one for each row, or extents NULL and extent_count 0"
    case .extent: "first <= end <= width_px; end is the column after the last"
    }
  }
}

/// Memory for a frame, filled with marks that show what the driver wrote.
@safe
struct FrameMemory: ~Copyable {
  private static let mark: UInt8 = 0xA5
  private static let margin = 64
  /// The size of the whole struct, and of its part in version 1.0.
  static let size = unsafe MemoryLayout<ac_frame_t>.size
  static let firstSize = unsafe MemoryLayout<ac_frame_t>.offset(of: \.extents) ?? 0

  private let bytes: UnsafeMutableRawPointer
  /// The struct_size that the driver is given.
  private let given: Int

  /// Sets struct_size, and clears the fields that came after 1.0, because an older driver does not
  /// set them. The rest is marks.
  /// - Parameter isFirst: whether the host is of version 1.0, so that later fields are marks, too.
  init(isFirst: Bool = false) {
    given = isFirst ? Self.firstSize : Self.size
    unsafe bytes = .allocate(byteCount: Self.size + Self.margin, alignment: 16)
    unsafe memset(bytes, Int32(Self.mark), Self.size + Self.margin)
    unsafe memset(bytes.advanced(by: Self.firstSize), 0, given - Self.firstSize)
    unsafe bytes.storeBytes(of: UInt32(given), as: UInt32.self)
  }

  deinit { unsafe bytes.deallocate() }

  var pointer: UnsafeMutablePointer<ac_frame_t> {
    unsafe bytes.assumingMemoryBound(to: ac_frame_t.self)
  }

  var frame: ac_frame_t { unsafe pointer.pointee }

  /// Whether the driver wrote behind the struct.
  var isOverrun: Bool { !isFilled(from: given, to: Self.size + Self.margin) }

  /// Whether the driver wrote nothing at all.
  var isUntouched: Bool {
    unsafe bytes.load(as: UInt32.self) == UInt32(given) && isFilled(from: 4, to: Self.firstSize)
      && isFilled(from: Self.firstSize, to: given, with: 0)
  }

  private func isFilled(from start: Int, to end: Int, with value: UInt8 = mark) -> Bool {
    (start..<end).allSatisfy {
      unsafe bytes.load(fromByteOffset: $0, as: UInt8.self) == value
    }
  }
}
