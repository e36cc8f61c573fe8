import GrayImage

/// Feeds the PGM reader; whatever it reads must be as large as it says.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes else { return 0 }
  let input = unsafe Span(_unsafeStart: bytes, count: count)
  guard let image = try? GrayImage(decodingPGM: input) else { return 0 }
  precondition(image.pixels.count == image.width * image.height)
  precondition((try? GrayImage(decodingPGM: image.encodedPGM())) == image)
  return 0
}
