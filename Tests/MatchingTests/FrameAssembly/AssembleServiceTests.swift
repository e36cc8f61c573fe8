import AuthcoreABI
import FrameAssembly
import PluginHosting
import Testing

@Suite("assemble/1, the C table")
struct AssembleServiceTests {
  private let picture = RidgePicture(width: 64, height: 120)

  /// Ten stripes of 64x16 pixels, 6 rows apart.
  private var pixels: [UInt8] {
    picture.stripes(width: 64, height: 16, at: (0..<10).map { (0, 6 * $0) })
  }

  private struct Answer {
    let status: Int
    let pixels: [UInt8]
    let image: ac_swipe_image_t
    let extents: [ac_row_extent_t]
  }

  /// A request; its defaults are valid.
  private struct Request {
    var size = unsafe MemoryLayout<ac_stripes_t>.size
    var width: UInt32 = 64
    var height: UInt32 = 16
    var count: UInt32 = 10
    var hasPixels = true
    var imageWidth: UInt32 = 96
    var least: UInt32 = 0
    var most: UInt32 = 200
    var placement = AC_STRIPES_EXACT
    var capacity = 96 * 200
    var hasExtents = false
    var extentCapacity = 200
  }

  private func call(_ request: Request = Request()) -> Answer {
    var result = [UInt8](repeating: 0xee, count: 96 * 200)
    var image = ac_swipe_image_t()
    image.struct_size = UInt32(MemoryLayout<ac_swipe_image_t>.size)
    var extents = [ac_row_extent_t](repeating: ac_row_extent_t(first: 7, end: 7), count: 200)
    let status = unsafe withBuffers(of: pixels, &extents) { buffer, extents in
      var stripes = unsafe ac_stripes_t(
        struct_size: UInt32(request.size), width_px: request.width, height_px: request.height,
        count: request.count, pixels: request.hasPixels ? buffer.baseAddress : nil,
        image_width_px: request.imageWidth, image_min_height_px: request.least,
        image_max_height_px: request.most,
        placement: ac_stripe_placement_t(request.placement),
        ret_extents: request.hasExtents ? extents.baseAddress : nil,
        extent_capacity: request.extentCapacity)
      return unsafe AssembleService.table().stripes(&stripes, &result, request.capacity, &image)
    }
    return Answer(status: Int(status), pixels: result, image: image, extents: extents)
  }

  private func withBuffers<Result>(
    of pixels: [UInt8], _ extents: inout [ac_row_extent_t],
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeMutableBufferPointer<ac_row_extent_t>) -> Result
  ) -> Result {
    unsafe pixels.withUnsafeBufferPointer { pixels in
      unsafe extents.withUnsafeMutableBufferPointer { unsafe body(pixels, $0) }
    }
  }

  @Test("a swipe comes out as from the module itself, and nothing is written beyond")
  func stripes() throws {
    let answer = call()
    let expected = try StripeSeries(width: 64, height: 16, count: 10, pixels: pixels)
      .assembled(imageWidth: 96, heights: 0...200)
    #expect(answer.status == AC_OK)
    #expect([answer.image.width_px, answer.image.height_px] == [96, 70])
    #expect(answer.image.flags == UInt32(AC_FRAME_FLIP_HORIZONTAL | AC_FRAME_FLIP_VERTICAL))
    #expect(answer.image.verdict == ac_status_t(AC_OK))
    #expect(answer.image.quality == Float(expected.report.quality))
    #expect(answer.image.pairs == 9)
    #expect(answer.pixels.prefix(96 * 70) == expected.pixels[...])
    #expect(answer.pixels.dropFirst(96 * 70).allSatisfy { $0 == 0xee })
  }

  @Test("where the rows end is written where there is room for it, and nothing beyond")
  func extents() {
    let answer = call(Request(hasExtents: true, extentCapacity: 70))
    #expect(answer.status == AC_OK)
    #expect(answer.extents.prefix(70).allSatisfy { $0.first == 16 && $0.end == 80 })
    #expect(answer.extents.dropFirst(70).allSatisfy { $0.first == 7 && $0.end == 7 })
  }

  @Test("X3: a driver of 1.0 whose struct has no place for extents gets its swipe")
  func firstVersion() {
    let first = unsafe MemoryLayout<ac_stripes_t>.offset(of: \.ret_extents) ?? 0
    #expect(first == 40)
    for size in [first, first + 8] {
      // The host must not read beyond the size.
      let answer = call(Request(size: size, hasExtents: true, extentCapacity: 0))
      #expect(answer.status == AC_OK && answer.image.height_px == 70)
      #expect(answer.extents.allSatisfy { $0.first == 7 })
    }
    #expect(call(Request(size: first - 1)).status == AC_ERR_ARGUMENT)
  }

  @Test("a short swipe is a verdict, and a robust one may be asked for")
  func verdict() {
    #expect(call(Request(least: 100)).image.verdict == ac_status_t(AC_RETRY_TOO_SHORT))
    #expect(call(Request(placement: AC_STRIPES_ROBUST)).image.height_px == 70)
  }

  @Test("what is not possible is refused, and nothing is written")
  func refusals() {
    let wrong = [
      Request(size: 8), Request(width: 0), Request(height: .max), Request(count: 0),
      Request(count: .max), Request(hasPixels: false), Request(imageWidth: 63), Request(least: 201),
      Request(most: 0), Request(most: 4097), Request(placement: 2),
    ]
    for request in wrong {
      let answer = call(request)
      #expect(answer.status == AC_ERR_ARGUMENT, "\(request)")
      #expect(answer.image.width_px == 0 && answer.pixels.allSatisfy { $0 == 0xee })
    }
    #expect(call(Request(most: 69)).status == AC_ERR_DATA)
    #expect(call(Request(capacity: 96 * 70 - 1)).status == AC_ERR_MEMORY)
    #expect(call(Request(capacity: -1)).status == AC_ERR_MEMORY)
    for capacity in [69, 0, -1] {
      let answer = call(Request(hasExtents: true, extentCapacity: capacity))
      #expect(answer.status == AC_ERR_MEMORY && answer.image.width_px == 0)
      #expect(
        answer.pixels.allSatisfy { $0 == 0xee } && answer.extents.allSatisfy { $0.first == 7 })
    }
    var image = ac_swipe_image_t()
    let table = AssembleService.table()
    #expect(unsafe table.stripes(nil, nil, 0, &image) == ac_status_t(AC_ERR_ARGUMENT))
    #expect(unsafe table.lines(nil, nil, 0, &image) == ac_status_t(AC_ERR_ARGUMENT))
    #expect(table.enlarge(nil, 1, 1, 1, nil, 0) == ac_status_t(AC_ERR_ARGUMENT))
    #expect(table.normalise(nil, 1, nil, 0) == ac_status_t(AC_ERR_ARGUMENT))
    #expect(unsafe table.variance(pixels, -1, nil) == ac_status_t(AC_ERR_ARGUMENT))
  }

  @Test("lines ask the driver how well they fit")
  func lines() {
    let pixels = picture.pixels
    var result = [UInt8](repeating: 0, count: 64 * 500)
    var image = ac_swipe_image_t()
    image.struct_size = UInt32(MemoryLayout<ac_swipe_image_t>.size)
    let status = unsafe pixels.withUnsafeBufferPointer { buffer in
      var lines = unsafe ac_lines_t(
        struct_size: UInt32(MemoryLayout<ac_lines_t>.size), width_px: 64, count: 120,
        pixels: buffer.baseAddress, resolution: 8, median_size: 5, search_range: 16,
        image_min_height_px: 0, image_max_height_px: 500,
        deviation: { _, earlier, later in abs(Int32(later) - Int32(earlier) - 4) + 1 },
        context: nil)
      return unsafe AssembleService.table().lines(&lines, &result, result.count, &image)
    }
    #expect(status == ac_status_t(AC_OK))
    // Four lines between the rows and eight lines of the image: twice as high, except the last few.
    #expect(image.width_px == 64 && 230...250 ~= image.height_px)
    #expect(image.flags == UInt32(AC_FRAME_FLIP_VERTICAL))
  }

  @Test("pixels are enlarged, resized, turned, cleared of the background, stretched and measured")
  func operations() throws {
    let table = AssembleService.table()
    var twice = [UInt8](repeating: 0, count: 16)
    #expect(unsafe table.enlarge([100, 200, 40, 80], 2, 2, 2, &twice, 16) == 0)
    #expect(
      try twice == Enlarging.image([100, 200, 40, 80], width: 2, height: 2, factor: 2))
    #expect(
      unsafe table.enlarge([100, 200, 40, 80], 2, 2, 2, &twice, 15) == ac_status_t(AC_ERR_MEMORY))
    var half = [UInt8](repeating: 0, count: 1)
    #expect(unsafe table.resize([0, 10, 20, 30], 2, 2, 1, 1, &half, 1) == 0 && half == [15])
    var turned = [UInt8](repeating: 0, count: 2)
    #expect(unsafe table.orient([1, 2], 2, 1, UInt32(AC_FRAME_FLIP_HORIZONTAL), &turned, 2) == 0)
    #expect(turned == [2, 1])
    var cleared = [UInt16](repeating: 0, count: 2)
    #expect(unsafe table.subtract_background([900, 5], [300, 6], 2, &cleared, 2) == 0)
    #expect(cleared == [600, 0])
    var gray = [UInt8](repeating: 9, count: 2)
    #expect(unsafe table.normalise(cleared, 2, &gray, 2) == 0 && gray == [255, 0])
    var measure: UInt32 = 0
    #expect(unsafe table.variance([0, 255], 2, &measure) == 0 && measure == 16_256)
    #expect(unsafe table.mean_squared_difference([1], [4], 1, &measure) == 0 && measure == 9)
  }
}
