import AuthcoreABI
import Glibc

/// Where a driver puts a frame, with marks around it that show what it wrote.
@safe
struct FrameMemory: ~Copyable {
  private static let mark: UInt8 = 0xA5
  private static let margin = 64
  /// Of the whole struct, and of what version 1.0 had of it.
  static let size = unsafe MemoryLayout<ac_frame_t>.size
  static let firstSize = unsafe MemoryLayout<ac_frame_t>.offset(of: \.extents) ?? 0

  private let bytes: UnsafeMutableRawPointer
  /// What the caller says is the driver's to fill in.
  private let given: Int

  /// All marks, but for the size that the caller of `capture` sets, and the fields that came after
  /// 1.0: a driver that was built before does not set them, and they have to be 0 then.
  /// - Parameter isFirst: as a host of 1.0 has it; what came later is marked too, since it is not
  ///   there.
  init(isFirst: Bool = false) {
    given = isFirst ? Self.firstSize : Self.size
    unsafe bytes = .allocate(byteCount: Self.size + Self.margin, alignment: 16)
    unsafe memset(bytes, Int32(Self.mark), Self.size + Self.margin)
    unsafe memset(bytes.advanced(by: Self.firstSize), 0, given - Self.firstSize)
    unsafe bytes.storeBytes(of: UInt32(given), as: UInt32.self)
  }

  deinit { unsafe bytes.deallocate() }

  /// For `capture`.
  var pointer: UnsafeMutablePointer<ac_frame_t> {
    unsafe bytes.assumingMemoryBound(to: ac_frame_t.self)
  }

  var frame: ac_frame_t { unsafe pointer.pointee }

  /// Whether bytes behind the struct were written, which a caller with an older header does not
  /// have.
  var isOverrun: Bool { !isMarked(from: given, to: Self.size + Self.margin) }

  /// Whether nothing was written at all.
  var isUntouched: Bool {
    unsafe bytes.load(as: UInt32.self) == UInt32(given) && isMarked(from: 4, to: Self.firstSize)
      && isFilled(from: Self.firstSize, to: given, with: 0)
  }

  private func isMarked(from start: Int, to end: Int) -> Bool {
    isFilled(from: start, to: end, with: Self.mark)
  }

  private func isFilled(from start: Int, to end: Int, with value: UInt8) -> Bool {
    (start..<end).allSatisfy {
      unsafe bytes.load(fromByteOffset: $0, as: UInt8.self) == value
    }
  }
}
