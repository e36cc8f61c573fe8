// Drawing: pictures and charts as PNG and SVG, through the cairo library. For authcore-bench only.

/// A color of the sRGB space with its opacity; each part 0...1.
struct Color: Hashable, Sendable {
  var red: Double
  var green: Double
  var blue: Double
  /// 0 is invisible, 1 hides what is below.
  var opacity = 1.0

  static func gray(_ level: Double) -> Color { Color(red: level, green: level, blue: level) }

  static let black = gray(0)
  static let white = gray(1)

  /// Colors that people with any kind of color vision tell apart (Okabe and Ito, "Color universal
  /// design", 2008), without its black and its yellow, which is too faint for lines on white.
  static let distinct: [Color] = [.blue, .vermilion, .green, .purple, .sky, .orange]

  static let blue = Color(0x0072B2)
  static let vermilion = Color(0xD55E00)
  static let green = Color(0x009E73)
  static let purple = Color(0xCC79A7)
  static let sky = Color(0x56B4E9)
  static let orange = Color(0xE69F00)
  static let yellow = Color(0xF0E442)

  func opacity(_ opacity: Double) -> Color {
    Color(red: red, green: green, blue: blue, opacity: opacity)
  }

  /// A color between this one (share 0) and another (share 1).
  func mixed(with other: Color, share: Double) -> Color {
    let share = min(max(share, 0), 1)
    func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
    return Color(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
      opacity: mix(opacity, other.opacity))
  }
}

extension Color {
  /// A color as in web pages: `0xRRGGBB`.
  init(_ hex: UInt32, opacity: Double = 1) {
    self.init(
      red: Double(hex >> 16 & 255) / 255, green: Double(hex >> 8 & 255) / 255,
      blue: Double(hex & 255) / 255, opacity: opacity)
  }
}

/// Colors for numbers from 0 to 1.
struct ColorScale: Sendable {
  /// At equal distances from 0 to 1; at least two.
  private let stops: [Color]

  init(_ stops: [Color]) {
    precondition(stops.count >= 2, "a color scale needs two ends")
    self.stops = stops
  }

  /// From dark blue by green to yellow, equally different for equal steps whatever one's color
  /// vision; nine samples of the viridis scale (van der Walt and Smith, 2015).
  static let rising = ColorScale(
    [
      0x440154, 0x472D7B, 0x3B528B, 0x2C728E, 0x21918C, 0x28AE80, 0x5EC962, 0xADDC30, 0xFDE725,
    ].map { Color($0) })

  /// From vermilion by white to blue: what speaks against, nothing, what speaks for.
  static let opposed = ColorScale([.vermilion, Color(0xF7F7F7), .blue])

  /// Once around the color circle, the same at both ends: for angles.
  static let circular = ColorScale([.vermilion, .yellow, .green, .blue, .purple, .vermilion])

  /// Numbers outside 0...1 have the color of the nearer end.
  func color(_ value: Double) -> Color {
    let place = min(max(value, 0), 1) * Double(stops.count - 1)
    let index = min(Int(place), stops.count - 2)
    return stops[index].mixed(with: stops[index + 1], share: place - Double(index))
  }
}
