import AuthcoreABI
import FrameAssembly

extension AssembleService {
  @unsafe static func stripes(
    _ stripes: UnsafePointer<ac_stripes_t>?, _ ret_pixels: UnsafeMutablePointer<UInt8>?,
    _ capacity: Int, _ ret_image: UnsafeMutablePointer<ac_swipe_image_t>?
  ) -> ac_status_t {
    status {
      guard let stripes = unsafe stripes else { throw Refusal.missingPointer }
      let input = try unsafe Self.input(stripes)
      try unsafe AssemblyError.check(
        "number of stripes", Int(input.count), in: 1...AssemblyLimits.stripes)
      let count = try unsafe area(input.width_px, input.height_px) * Int(input.count)
      let series = try unsafe StripeSeries(
        width: Int(input.width_px), height: Int(input.height_px), count: Int(input.count),
        pixels: copied(input.pixels, count: count))
      let placement: StripePlacement
      switch unsafe Int(input.placement) {
      case AC_STRIPES_EXACT: placement = .exact
      case AC_STRIPES_ROBUST: placement = .robust
      case let other: throw AssemblyError.outOfRange("placement", value: other, allowed: 0...1)
      }
      let image = try unsafe series.assembled(
        imageWidth: Int(input.image_width_px),
        heights: heights(input.image_min_height_px, input.image_max_height_px),
        placement: placement)
      let extents = unsafe input.ret_extents
      guard unsafe extents == nil || image.extents.count <= input.extent_capacity else {
        throw Refusal.noRoom
      }
      try unsafe deliver(image, ret_pixels, capacity, ret_image)
      guard let extents = unsafe extents else { return }
      for (index, extent) in image.extents.enumerated() {
        unsafe extents[index] = ac_row_extent_t(
          first: UInt16(extent.lowerBound), end: UInt16(extent.upperBound))
      }
    }
  }

  /// What the caller passed, without the fields of 1.1 if the caller's header has none.
  private static func input(_ stripes: UnsafePointer<ac_stripes_t>) throws(Refusal) -> ac_stripes_t
  {
    let first = unsafe MemoryLayout<ac_stripes_t>.offset(of: \.ret_extents) ?? 0
    let size = unsafe Int(stripes.pointee.struct_size)
    guard size >= first else { throw .structTooSmall }
    var input = unsafe ac_stripes_t()
    unsafe withUnsafeMutableBytes(of: &input) { bytes in
      // A larger struct is of a later version.
      let known = size >= bytes.count ? bytes.count : first
      unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(start: stripes, count: known))
    }
    return unsafe input
  }

  @unsafe static func lines(
    _ lines: UnsafePointer<ac_lines_t>?, _ ret_pixels: UnsafeMutablePointer<UInt8>?,
    _ capacity: Int, _ ret_image: UnsafeMutablePointer<ac_swipe_image_t>?
  ) -> ac_status_t {
    status {
      guard let lines = unsafe lines else { throw Refusal.missingPointer }
      guard unsafe Int(lines.pointee.struct_size) >= MemoryLayout<ac_lines_t>.size else {
        throw Refusal.structTooSmall
      }
      let input = unsafe lines.pointee
      guard let deviation = unsafe input.deviation else { throw Refusal.missingPointer }
      try unsafe AssemblyError.check(
        "number of lines", Int(input.count), in: 2...AssemblyLimits.lines)
      let count = try unsafe area(input.width_px, 1) * Int(input.count)
      let series = try unsafe LineSeries(
        width: Int(input.width_px), count: Int(input.count),
        pixels: copied(input.pixels, count: count))
      let geometry = try unsafe LineGeometry(
        resolution: Int(input.resolution), medianSize: Int(input.median_size),
        searchRange: Int(input.search_range),
        heights: heights(input.image_min_height_px, input.image_max_height_px))
      let image = series.assembled(geometry) { earlier, later in
        unsafe Int(deviation(input.context, UInt32(earlier), UInt32(later)))
      }
      try unsafe deliver(image, ret_pixels, capacity, ret_image)
    }
  }

  private static func heights(_ least: UInt32, _ most: UInt32) throws(AssemblyError)
    -> ClosedRange<Int>
  {
    try AssemblyError.check("least height of the image", Int(least), in: 0...AssemblyLimits.side)
    try AssemblyError.check(
      "greatest height of the image", Int(most), in: max(1, Int(least))...AssemblyLimits.side)
    return Int(least)...Int(most)
  }

  @unsafe private static func deliver(
    _ image: SwipeImage, _ ret_pixels: UnsafeMutablePointer<UInt8>?, _ capacity: Int,
    _ ret_image: UnsafeMutablePointer<ac_swipe_image_t>?
  ) throws {
    guard let ret_image = unsafe ret_image else { throw Refusal.missingPointer }
    let size = MemoryLayout<ac_swipe_image_t>.size
    guard unsafe Int(ret_image.pointee.struct_size) >= size else { throw Refusal.structTooSmall }
    try unsafe store(image.pixels, into: ret_pixels, capacity: capacity)
    let report = image.report
    unsafe ret_image.pointee = ac_swipe_image_t(
      struct_size: ret_image.pointee.struct_size, width_px: UInt32(image.width),
      height_px: UInt32(image.height), flags: image.layout.rawValue,
      verdict: status(of: report.verdict), quality: Float(report.quality),
      agreement: Float(report.agreement), evenness: Float(report.evenness),
      straightness: Float(report.straightness), pairs: UInt32(report.pairs),
      unusable_pairs: UInt32(report.unusablePairs), standing_pairs: UInt32(report.standingPairs))
  }

  private static func status(of verdict: SwipeReport.Verdict) -> ac_status_t {
    switch verdict {
    case .good: ac_status_t(AC_OK)
    case .tooFast: ac_status_t(AC_RETRY_TOO_FAST)
    case .tooSlow: ac_status_t(AC_RETRY_TOO_SLOW)
    case .tooShort: ac_status_t(AC_RETRY_TOO_SHORT)
    case .tooSkewed: ac_status_t(AC_RETRY_TOO_SKEWED)
    }
  }
}
