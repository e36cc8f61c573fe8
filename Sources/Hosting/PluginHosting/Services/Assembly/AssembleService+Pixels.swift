import AuthcoreABI
import FrameAssembly

extension AssembleService {
  @unsafe static func enlarge(
    _ pixels: UnsafePointer<UInt8>?, _ width: UInt32, _ height: UInt32, _ factor: UInt32,
    _ ret_pixels: UnsafeMutablePointer<UInt8>?, _ capacity: Int
  ) -> ac_status_t {
    status {
      let result = try unsafe Enlarging.image(
        copied(pixels, count: area(width, height)), width: Int(width), height: Int(height),
        factor: Int(factor))
      try unsafe store(result, into: ret_pixels, capacity: capacity)
    }
  }

  @unsafe static func resize(
    _ pixels: UnsafePointer<UInt8>?, _ width: UInt32, _ height: UInt32, _ newWidth: UInt32,
    _ newHeight: UInt32, _ ret_pixels: UnsafeMutablePointer<UInt8>?, _ capacity: Int
  ) -> ac_status_t {
    status {
      let result = try unsafe BoxResizing.image(
        copied(pixels, count: area(width, height)), width: Int(width), height: Int(height),
        newWidth: Int(newWidth), newHeight: Int(newHeight))
      try unsafe store(result, into: ret_pixels, capacity: capacity)
    }
  }

  @unsafe static func orient(
    _ pixels: UnsafePointer<UInt8>?, _ width: UInt32, _ height: UInt32, _ flags: UInt32,
    _ ret_pixels: UnsafeMutablePointer<UInt8>?, _ capacity: Int
  ) -> ac_status_t {
    status {
      let result = try unsafe FrameLayout(rawValue: flags).applied(
        to: copied(pixels, count: area(width, height)), width: Int(width))
      try unsafe store(result, into: ret_pixels, capacity: capacity)
    }
  }

  @unsafe static func subtractBackground(
    _ pixels: UnsafePointer<UInt16>?, _ background: UnsafePointer<UInt16>?, _ count: Int,
    _ ret_pixels: UnsafeMutablePointer<UInt16>?, _ capacity: Int
  ) -> ac_status_t {
    status {
      let result = try unsafe BackgroundSubtraction.image(
        copied(pixels, count: count), without: copied(background, count: count))
      try unsafe store(result, into: ret_pixels, capacity: capacity)
    }
  }

  @unsafe static func normalize(
    _ pixels: UnsafePointer<UInt16>?, _ count: Int, _ ret_pixels: UnsafeMutablePointer<UInt8>?,
    _ capacity: Int
  ) -> ac_status_t {
    status {
      let result = try unsafe GrayStretch.image(copied(pixels, count: count))
      try unsafe store(result, into: ret_pixels, capacity: capacity)
    }
  }

  @unsafe static func variance(
    _ pixels: UnsafePointer<UInt8>?, _ count: Int, _ ret_variance: UnsafeMutablePointer<UInt32>?
  ) -> ac_status_t {
    status {
      guard let ret_variance = unsafe ret_variance else { throw Refusal.missingPointer }
      unsafe ret_variance.pointee = UInt32(
        PixelMeasures.variance(try copied(pixels, count: count)))
    }
  }

  @unsafe static func meanSquaredDifference(
    _ pixels: UnsafePointer<UInt8>?, _ others: UnsafePointer<UInt8>?, _ count: Int,
    _ ret_difference: UnsafeMutablePointer<UInt32>?
  ) -> ac_status_t {
    status {
      guard let ret_difference = unsafe ret_difference else { throw Refusal.missingPointer }
      unsafe ret_difference.pointee = UInt32(
        try PixelMeasures.meanSquaredDifference(
          copied(pixels, count: count), copied(others, count: count)))
    }
  }
}
