package import AuthcoreABI
import FrameAssembly

package enum AssembleService {
  /// Its functions keep no state, so every copy is as good as another.
  package static func table() -> ac_assemble_service_t {
    unsafe ac_assemble_service_t(
      struct_size: UInt32(MemoryLayout<ac_assemble_service_t>.size),
      stripes: { unsafe AssembleService.stripes($0, $1, $2, $3) },
      lines: { unsafe AssembleService.lines($0, $1, $2, $3) },
      enlarge: { unsafe AssembleService.enlarge($0, $1, $2, $3, $4, $5) },
      resize: { unsafe AssembleService.resize($0, $1, $2, $3, $4, $5, $6) },
      orient: { unsafe AssembleService.orient($0, $1, $2, $3, $4, $5) },
      subtract_background: { unsafe AssembleService.subtractBackground($0, $1, $2, $3, $4) },
      normalise: { unsafe AssembleService.normalize($0, $1, $2, $3) },
      variance: { unsafe AssembleService.variance($0, $1, $2) },
      mean_squared_difference: { unsafe AssembleService.meanSquaredDifference($0, $1, $2, $3) })
  }

  /// What the C side did wrong.
  enum Refusal: Error {
    case missingPointer
    case structTooSmall
    case noRoom
  }

  static func status(_ body: () throws -> Void) -> ac_status_t {
    do {
      try body()
      return ac_status_t(AC_OK)
    } catch let error as AssemblyError {
      return switch error {
      case .outOfRange, .pixelCount: ac_status_t(AC_ERR_ARGUMENT)
      case .tooMuchWork: ac_status_t(AC_ERR_MEMORY)
      case .tooHigh: ac_status_t(AC_ERR_DATA)
      }
    } catch Refusal.noRoom {
      return ac_status_t(AC_ERR_MEMORY)
    } catch {
      return ac_status_t(AC_ERR_ARGUMENT)
    }
  }

  /// Copies the caller's elements. The limit is checked before memory is allocated.
  static func copied<Element>(_ elements: UnsafePointer<Element>?, count: Int) throws -> [Element] {
    guard let elements = unsafe elements else { throw Refusal.missingPointer }
    try AssemblyError.check("number of pixels", count, in: 1...AssemblyLimits.pixels)
    return unsafe Array(UnsafeBufferPointer(start: elements, count: count))
  }

  /// Writes a result into memory for `capacity` elements.
  static func store<Element>(
    _ elements: [Element], into memory: UnsafeMutablePointer<Element>?, capacity: Int
  ) throws {
    guard let memory = unsafe memory else { throw Refusal.missingPointer }
    guard elements.count <= capacity else { throw Refusal.noRoom }
    unsafe memory.update(from: elements, count: elements.count)
  }

  static func area(_ width: UInt32, _ height: UInt32) throws -> Int {
    try AssemblyError.check("width", Int(width), in: 1...AssemblyLimits.side)
    try AssemblyError.check("height", Int(height), in: 1...AssemblyLimits.side)
    return Int(width) * Int(height)
  }
}

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
      unsafe ret_variance.pointee = UInt32(PixelMeasures.variance(try copied(pixels, count: count)))
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
