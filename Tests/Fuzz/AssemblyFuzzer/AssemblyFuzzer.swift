import FrameAssembly

/// Puts swipes together whose sizes and pixels are the input: ten bytes of sizes, then pixels,
/// repeated as often as needed.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes, count > 10 else { return 0 }
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  let sizes = input.prefix(10).map { Int($0) }
  let (width, height, stripes) = (sizes[0] % 40, sizes[1] % 24, sizes[2] % 12)
  let pixels = (0..<width * height * stripes).map { input[10 + $0 % (count - 10)] }
  if let series = try? StripeSeries(width: width, height: height, count: stripes, pixels: pixels) {
    for placement in [StripePlacement.exact, .robust] {
      check(
        try? series.assembled(
          imageWidth: width + sizes[3] % 16, heights: sizes[4] % 16...300, placement: placement))
    }
  }
  if let series = try? LineSeries(width: width, count: height * stripes, pixels: pixels),
    let geometry = try? LineGeometry(
      resolution: sizes[5], medianSize: sizes[6], searchRange: sizes[7] % 40,
      heights: sizes[4]...400)
  {
    check(
      series.assembled(geometry) { earlier, later in
        let value = Int(input[(earlier * 31 + later * 7) % count])
        return value == 255 ? .max : value - 9
      })
  }
  _ = try? Enlarging.image(
    pixels, width: width, height: height * stripes, factor: sizes[8] % 10)
  _ = try? BoxResizing.image(
    pixels, width: width, height: height * stripes, newWidth: sizes[8], newHeight: sizes[9])
  _ = try? FrameLayout(rawValue: UInt32(sizes[9])).applied(to: pixels, width: sizes[0])
  _ = GrayStretch.image(pixels.map { UInt16($0) << 8 | UInt16(sizes[8]) })
  return 0
}

private func check(_ image: SwipeImage?) {
  guard let image else { return }
  precondition(image.pixels.count == image.width * image.height)
  precondition(0...1 ~= image.report.quality)
}
