/// What is accepted; larger input is refused before anything is allocated for it.
public enum AssemblyLimits {
  /// Pixels of a side, of stripes, lines and images: `AC_FRAME_MAX_SIDE` of sensor.h.
  public static let side = 4096
  /// Stripes of a swipe.
  public static let stripes = 4096
  /// Lines of a swipe.
  public static let lines = 32_768
  /// Pixels of all stripes or lines of a swipe.
  public static let pixels = 1 << 24
  /// Units of work to find the movement of a swipe: 16 · (height + 4) · height · (width + 64) ·
  /// (count - 1) of stripes; about half a second. 30 stripes of 144x50 pixels are 0.26 · 10⁹, 150
  /// of 192x16 0.20 · 10⁹.
  public static let work = 4_000_000_000
  /// Output lines between the two rows of a line sensor.
  public static let resolution = 256
  /// Lines among which the second row is looked for.
  public static let searchRange = 512
  /// Size of the median filter over the offsets of lines.
  public static let medianSize = 255
  /// How many times an image is enlarged.
  public static let factor = 8
}
