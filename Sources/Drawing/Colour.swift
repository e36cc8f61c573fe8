// Drawing: pictures and charts as PNG and SVG, through the cairo library. For authcore-bench only.

/// A colour of the sRGB space with its opacity; each part 0...1.
package struct Colour: Hashable, Sendable {
  package var red: Double
  package var green: Double
  package var blue: Double
  /// 0 is invisible, 1 hides what is below.
  package var opacity: Double

  package init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.opacity = opacity
  }

  /// A colour as in web pages: `0xRRGGBB`.
  package init(_ hex: UInt32, opacity: Double = 1) {
    self.init(
      red: Double(hex >> 16 & 255) / 255, green: Double(hex >> 8 & 255) / 255,
      blue: Double(hex & 255) / 255, opacity: opacity)
  }

  package static func grey(_ level: Double) -> Colour {
    Colour(red: level, green: level, blue: level)
  }

  package static let black = grey(0)
  package static let white = grey(1)

  /// Colours that people with any kind of colour vision tell apart (Okabe and Ito, "Color universal
  /// design", 2008), without its black and its yellow, which is too faint for lines on white.
  package static let distinct: [Colour] = [
    .blue, .vermilion, .green, .purple, .sky, .orange,
  ]

  package static let blue = Colour(0x0072B2)
  package static let vermilion = Colour(0xD55E00)
  package static let green = Colour(0x009E73)
  package static let purple = Colour(0xCC79A7)
  package static let sky = Colour(0x56B4E9)
  package static let orange = Colour(0xE69F00)
  package static let yellow = Colour(0xF0E442)

  /// The same colour, seen through.
  package func opacity(_ opacity: Double) -> Colour {
    Colour(red: red, green: green, blue: blue, opacity: opacity)
  }

  /// A colour between this one (share 0) and another (share 1).
  package func mixed(with other: Colour, share: Double) -> Colour {
    let share = min(max(share, 0), 1)
    func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
    return Colour(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
      opacity: mix(opacity, other.opacity))
  }
}
