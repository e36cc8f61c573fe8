import AuthcoreABI

/// An `ac_frame` for a driver to fill in, with a margin behind it in which nobody has any business.
@safe struct GuardedFrame: ~Copyable {
  /// What `struct_size` may be when the driver returns: a driver may have written that of the
  /// version it was built for over the host's, and then set nothing behind it. 1.0 ends with
  /// `pixel_count`.
  static let possibleSizes: ClosedRange<Int> = {
    let first = unsafe MemoryLayout<ac_frame_t>.offset(of: \.extents) ?? 0
    return first...(unsafe MemoryLayout<ac_frame_t>.size)
  }()

  /// Lives as long as this value.
  let frame: UnsafeMutablePointer<ac_frame_t>
  private let memory: UnsafeMutableRawPointer

  private static let margin = 256
  private static let mark: UInt8 = 0xA5

  init() {
    let size = unsafe MemoryLayout<ac_frame_t>.size
    unsafe memory = .allocate(
      byteCount: size + Self.margin, alignment: MemoryLayout<ac_frame_t>.alignment)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: Self.mark, count: size + Self.margin)
    unsafe frame = memory.bindMemory(to: ac_frame_t.self, capacity: 1)
    unsafe frame.initialize(to: ac_frame_t())
    unsafe frame.pointee.struct_size = UInt32(size)
  }

  /// Whether nothing was written behind the frame.
  var isIntact: Bool {
    let size = unsafe MemoryLayout<ac_frame_t>.size
    for offset in size..<size + Self.margin {
      guard unsafe memory.load(fromByteOffset: offset, as: UInt8.self) == Self.mark else {
        return false
      }
    }
    return true
  }

  deinit { unsafe memory.deallocate() }
}
