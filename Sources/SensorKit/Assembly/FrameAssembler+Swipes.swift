internal import AuthcoreABI

extension FrameAssembler {
  /// Puts stripes together to one image.
  ///
  /// `stripes` are the pixels of stripe after stripe in time order, row by row; as many as there are.
  ///
  /// - Throws: ``SensorFailure/Code/data`` when the image would be higher than allowed, ``SensorFailure/Code/memory`` when
  ///   there are too many stripes to compare in time.
  public func assemble(stripes: [UInt8], _ geometry: StripeGeometry) throws(SensorFailure)
    -> AssembledSwipe
  {
    let area = geometry.width.multipliedReportingOverflow(by: geometry.height)
    let action = "Assembling stripes of \(geometry.width)x\(geometry.height) pixels"
    guard area.partialValue > 0, !area.overflow, stripes.count.isMultiple(of: area.partialValue)
    else {
      throw SensorFailure(.argument, "\(action): \(stripes.count) pixels are no whole stripes")
    }
    // What cannot be shows afterwards that the host has filled in nothing.
    var extents = [ac_row_extent_t](
      repeating: ac_row_extent_t(first: 1, end: 0),
      count: min(max(geometry.imageHeights.upperBound, 0), Int(AC_FRAME_MAX_SIDE)))
    let image = try unsafe swipe(
      action, width: geometry.imageWidth, heights: geometry.imageHeights
    ) { table, pixels, capacity, image in
      unsafe withBuffers(of: stripes, and: &extents) { buffer, extents in
        var input = unsafe ac_stripes_t(
          struct_size: UInt32(MemoryLayout<ac_stripes_t>.size), width_px: unsigned(geometry.width),
          height_px: unsigned(geometry.height), count: unsigned(stripes.count / area.partialValue),
          pixels: buffer.baseAddress, image_width_px: unsigned(geometry.imageWidth),
          image_min_height_px: unsigned(geometry.imageHeights.lowerBound),
          image_max_height_px: unsigned(geometry.imageHeights.upperBound),
          placement: ac_stripe_placement_t(
            geometry.placement == .exact ? AC_STRIPES_EXACT : AC_STRIPES_ROBUST),
          ret_extents: extents.baseAddress, extent_capacity: extents.count)
        return unsafe table.stripes(&input, pixels, capacity, image)
      }
    }
    let rows = extents.prefix(image.height)
    let isFilled = rows.count == image.height && rows.allSatisfy { $0.first <= $0.end }
    return image.with(extents: isFilled ? rows.map { Int($0.first)..<Int($0.end) } : nil)
  }

  private func withBuffers<Result>(
    of pixels: [UInt8], and extents: inout [ac_row_extent_t],
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeMutableBufferPointer<ac_row_extent_t>) -> Result
  ) -> Result {
    unsafe pixels.withUnsafeBufferPointer { pixels in
      unsafe extents.withUnsafeMutableBufferPointer { unsafe body(pixels, $0) }
    }
  }

  /// Puts the lines of a sensor with two rows together to one image.
  ///
  /// `lines` are the pixels of line after line in time order, at least two. `deviation` takes two lines, the first earlier
  /// than the second, and gives a number that is small when the second row of one and the first row of the other show the
  /// same skin.
  public func assemble(
    lines: [UInt8], _ geometry: LineGeometry, deviation: @escaping (Int, Int) -> Int
  ) throws(SensorFailure) -> AssembledSwipe {
    let action = "Assembling lines of \(geometry.width) pixels"
    guard geometry.width > 0, lines.count.isMultiple(of: geometry.width) else {
      throw SensorFailure(.argument, "\(action): \(lines.count) pixels are no whole lines")
    }
    let box = DeviationBox(deviation)
    return try unsafe swipe(
      action, width: geometry.width, heights: geometry.imageHeights
    ) { table, pixels, capacity, image in
      unsafe lines.withUnsafeBufferPointer { buffer in
        var input = unsafe ac_lines_t(
          struct_size: UInt32(MemoryLayout<ac_lines_t>.size), width_px: unsigned(geometry.width),
          count: unsigned(lines.count / geometry.width), pixels: buffer.baseAddress,
          resolution: unsigned(geometry.resolution), median_size: unsigned(geometry.medianSize),
          search_range: unsigned(geometry.searchRange),
          image_min_height_px: unsigned(geometry.imageHeights.lowerBound),
          image_max_height_px: unsigned(geometry.imageHeights.upperBound),
          deviation: { context, earlier, later in
            guard let context = unsafe context else { return .max }
            let box = unsafe Unmanaged<DeviationBox>.fromOpaque(context).takeUnretainedValue()
            return Int32(clamping: box.deviation(Int(earlier), Int(later)))
          },
          context: Unmanaged.passUnretained(box).toOpaque())
        // The box is alive until the call, which alone uses its address, has returned.
        return withExtendedLifetime(box) {
          unsafe table.lines(&input, pixels, capacity, image)
        }
      }
    }
  }

  private func swipe(
    _ action: String, width: Int, heights: ClosedRange<Int>,
    _ body: (
      ac_assemble_service_t, UnsafeMutablePointer<UInt8>?, Int,
      UnsafeMutablePointer<ac_swipe_image_t>
    ) -> ac_status_t
  ) throws(SensorFailure) -> AssembledSwipe {
    let sides = 1...Int(AC_FRAME_MAX_SIDE)
    guard sides ~= width, sides ~= heights.upperBound else {
      throw SensorFailure(
        .argument, "\(action): an image of \(width)x\(heights.upperBound) is not possible")
    }
    var image = ac_swipe_image_t()
    image.struct_size = UInt32(MemoryLayout<ac_swipe_image_t>.size)
    let capacity = width * heights.upperBound
    var pixels: [UInt8] = try unsafe fill(action, count: capacity) { table, pixels in
      unsafe body(table, pixels, capacity, &image)
    }
    let count = Int(image.width_px) * Int(image.height_px)
    guard 1...capacity ~= count else {
      throw SensorFailure(.argument, "\(action): the host's image is larger than asked for")
    }
    pixels.removeSubrange(count...)
    let (columns, rows) = (Int(image.width_px), Int(image.height_px))
    return AssembledSwipe(
      width: columns, height: rows, pixels: pixels,
      extents: Array(repeating: 0..<columns, count: rows),
      layout: Frame.Layout(rawValue: image.flags), quality: SwipeQuality(image))
  }
}

/// What the C side carries the closure in.
private final class DeviationBox {
  let deviation: (Int, Int) -> Int

  init(_ deviation: @escaping (Int, Int) -> Int) { self.deviation = deviation }
}

extension SwipeQuality {
  fileprivate init(_ image: ac_swipe_image_t) {
    verdict = RetryReason(rawValue: image.verdict)
    overall = image.quality
    agreement = image.agreement
    evenness = image.evenness
    straightness = image.straightness
    pairs = Int(image.pairs)
    unusablePairs = Int(image.unusable_pairs)
    standingPairs = Int(image.standing_pairs)
  }
}
