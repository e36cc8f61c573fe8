// FrameAssembly: makes one image of the stripes or lines of a swipe, and does what readers share to
// pixels.
//
// Total: for any sizes and bytes, each function gives a value or an AssemblyError in bounded time
// and memory.

public enum AssemblyError: Error, Hashable, Sendable, CustomStringConvertible {
  case outOfRange(String, value: Int, allowed: ClosedRange<Int>)
  case pixelCount(expected: Int, found: Int)
  /// Comparing these stripes would take longer than a person waits.
  case tooMuchWork(_ work: Int, limit: Int)
  /// The image would be higher than allowed: the finger stood, or the movement was misjudged.
  case tooHigh(height: Int, limit: Int)

  public var description: String {
    switch self {
    case .outOfRange(let name, let value, let allowed):
      "The \(name) is \(value); \(allowed.lowerBound) to \(allowed.upperBound) are possible"
    case .pixelCount(let expected, let found):
      "There are \(found) pixels; the sizes need \(expected)"
    case .tooMuchWork(let work, let limit):
      "The stripes are \(work) units of work; the limit is \(limit): take fewer of them"
    case .tooHigh(let height, let limit):
      "The swipe is \(height) pixels high; the limit is \(limit): the finger has to move on evenly"
    }
  }

  /// Throws unless `value` is possible for `name`.
  public static func check(_ name: String, _ value: Int, in allowed: ClosedRange<Int>)
    throws(AssemblyError)
  {
    guard allowed ~= value else { throw .outOfRange(name, value: value, allowed: allowed) }
  }
}

/// Limits of the input; more is refused before anything is allocated for it.
public enum AssemblyLimits {
  /// Pixels of a side of stripes, lines and images: `AC_FRAME_MAX_SIDE` of sensor.h.
  public static let side = 4096
  public static let stripes = 4096
  public static let lines = 32_768
  /// Pixels of all stripes or lines of a swipe.
  public static let pixels = 1 << 24
  /// Units of work to find the movement of a swipe: 16 · (height + 4) · height · (width + 64) ·
  /// (count - 1) of stripes; about half a second. 30 stripes of 144x50 pixels are 0.26 · 10⁹, 150
  /// of 192x16 0.20 · 10⁹.
  public static let work = 4_000_000_000
  /// Output lines between the two rows of a line sensor.
  public static let resolution = 256
  /// Lines among which the second row is searched for.
  public static let searchRange = 512
  public static let medianSize = 255
  public static let factor = 8
}
