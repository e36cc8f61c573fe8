package import AuthcoreABI
import FrameAssembly

/// The C table of "assemble/1" (include/authcore/assemble.h).
package enum AssembleService {
  /// The table. Its functions keep nothing between calls, so every copy of it is as good as
  /// another.
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

  /// What the C side did wrong before there is anything to compute.
  enum Refusal: Error {
    case missingPointer
    case structTooSmall
    case noRoom
  }

  /// The status of `body`, which writes its results itself.
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

  /// A copy of the caller's elements. The limit is checked before anything is allocated.
  static func copied<Element>(
    _ elements: UnsafePointer<Element>?, count: Int
  ) throws -> [Element] {
    guard let elements = unsafe elements else { throw Refusal.missingPointer }
    try AssemblyError.check("number of pixels", count, in: 1...AssemblyLimits.pixels)
    return unsafe Array(UnsafeBufferPointer(start: elements, count: count))
  }

  /// Writes a result where the caller has room for `capacity` elements.
  static func store<Element>(
    _ elements: [Element], into memory: UnsafeMutablePointer<Element>?, capacity: Int
  ) throws {
    guard let memory = unsafe memory else { throw Refusal.missingPointer }
    guard elements.count <= capacity else { throw Refusal.noRoom }
    unsafe memory.update(from: elements, count: elements.count)
  }

  /// A side as Swift counts; whether it is possible is for the caller to say.
  static func area(_ width: UInt32, _ height: UInt32) throws -> Int {
    try AssemblyError.check("width", Int(width), in: 1...AssemblyLimits.side)
    try AssemblyError.check("height", Int(height), in: 1...AssemblyLimits.side)
    return Int(width) * Int(height)
  }
}
