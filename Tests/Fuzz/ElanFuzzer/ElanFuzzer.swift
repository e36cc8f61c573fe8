import ElanDriver
import SensorKit

/// Feeds a reader's answer about its size, then a frame and its background of any length.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes, count >= 6 else { return 0 }
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  let product = UInt16(input[0]) << 8 | UInt16(input[1])
  guard let geometry = try? ElanGeometry(answer: Array(input[2..<6]), product: product) else {
    return 0
  }
  var frame = Array(input.dropFirst(6))
  _ = try? geometry.pixels(of: frame)
  // A frame of the right length: the input, over and over.
  guard !frame.isEmpty else { return 0 }
  frame = (0..<geometry.frameLength).map { frame[$0 % frame.count] & ($0 % 2 == 1 ? 0x3F : 0xFF) }
  guard let pixels = try? geometry.pixels(of: frame) else {
    preconditionFailure("a good frame is refused")
  }
  for gray in [ElanGray.linear, .threeRanges] {
    precondition(gray.mapped(pixels).count == geometry.width * geometry.height)
  }
  return 0
}
