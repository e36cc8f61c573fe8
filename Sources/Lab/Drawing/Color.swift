// Drawing: pictures and charts as PNG and SVG, through the cairo library. For authcore-bench only.

/// A color of the sRGB space with its opacity; each part 0...1.
package struct Color: Hashable, Sendable {
  package var red: Double
  package var green: Double
  package var blue: Double
  /// 0 is invisible, 1 hides what is below.
  package var opacity: Double

  package init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
    (self.red, self.green, self.blue, self.opacity) = (red, green, blue, opacity)
  }

  /// A color as in web pages: `0xRRGGBB`.
  package init(_ hex: UInt32, opacity: Double = 1) {
    self.init(
      red: Double(hex >> 16 & 255) / 255, green: Double(hex >> 8 & 255) / 255,
      blue: Double(hex & 255) / 255, opacity: opacity)
  }

  package static func gray(_ level: Double) -> Color {
    Color(red: level, green: level, blue: level)
  }

  package static let black = gray(0)
  package static let white = gray(1)

  /// Colors that people with any kind of color vision tell apart (Okabe and Ito, "Color universal
  /// design", 2008), without its black and its yellow, which is too faint for lines on white.
  package static let distinct: [Color] = [
    .blue, .vermilion, .green, .purple, .sky, .orange,
  ]

  package static let blue = Color(0x0072B2)
  package static let vermilion = Color(0xD55E00)
  package static let green = Color(0x009E73)
  package static let purple = Color(0xCC79A7)
  package static let sky = Color(0x56B4E9)
  package static let orange = Color(0xE69F00)
  package static let yellow = Color(0xF0E442)

  /// The same color, seen through.
  package func opacity(_ opacity: Double) -> Color {
    Color(red: red, green: green, blue: blue, opacity: opacity)
  }

  /// A color between this one (share 0) and another (share 1).
  package func mixed(with other: Color, share: Double) -> Color {
    let share = min(max(share, 0), 1)
    func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
    return Color(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
      opacity: mix(opacity, other.opacity))
  }
}
