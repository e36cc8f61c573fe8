import AuthcoreABI
import Glibc

/// Where a driver puts a frame, with marks around it that show what it wrote.
@safe
struct FrameMemory: ~Copyable {
  private static let mark: UInt8 = 0xA5
  private static let margin = 64
  private static var size: Int { unsafe MemoryLayout<ac_frame_t>.size }

  private let bytes: UnsafeMutableRawPointer

  /// All marks, but for the size that the caller of `capture` sets.
  init() {
    unsafe bytes = .allocate(byteCount: Self.size + Self.margin, alignment: 16)
    unsafe memset(bytes, Int32(Self.mark), Self.size + Self.margin)
    unsafe bytes.storeBytes(of: UInt32(Self.size), as: UInt32.self)
  }

  deinit { unsafe bytes.deallocate() }

  /// For `capture`.
  var pointer: UnsafeMutablePointer<ac_frame_t> {
    unsafe bytes.assumingMemoryBound(to: ac_frame_t.self)
  }

  var frame: ac_frame_t { unsafe pointer.pointee }

  /// Whether bytes behind the struct were written, which a caller with an older header does not have.
  var isOverrun: Bool { !isMarked(from: Self.size, to: Self.size + Self.margin) }

  /// Whether nothing was written at all.
  var isUntouched: Bool {
    unsafe bytes.load(as: UInt32.self) == UInt32(Self.size) && isMarked(from: 4, to: Self.size)
  }

  private func isMarked(from start: Int, to end: Int) -> Bool {
    (start..<end).allSatisfy {
      unsafe bytes.load(fromByteOffset: $0, as: UInt8.self) == Self.mark
    }
  }
}
