import URU4000Driver

/// Feeds the image decoder with what a device sends: a count of lines, then a header and the first
/// pixels, filled up so that the checks of length do not stop everything.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes, count > 0 else { return 0 }
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  _ = Message(input)
  decode(input)
  let filled = input.dropFirst() + [UInt8](repeating: 0x5A, count: Int(input[0]) * 384)
  decode(Array(filled.prefix(ImageHeader.size + 290 * ImageHeader.width)))
  return 0
}

private func decode(_ transfer: [UInt8]) {
  guard var decoder = try? ImageDecoder(transfer) else { return }
  if decoder.isEncrypted || transfer[6] & 1 == 0 {
    decoder.decrypt { 0x5444_09D6 ^ UInt32($0) }
  }
  precondition(decoder.pixels.count == ImageHeader.width * ImageHeader.height)
}
