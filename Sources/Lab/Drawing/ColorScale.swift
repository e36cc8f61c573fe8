/// Colors for numbers from 0 to 1.
package struct ColorScale: Sendable {
  /// At equal distances from 0 to 1; at least two.
  private let stops: [Color]

  package init(_ stops: [Color]) {
    precondition(stops.count >= 2, "a color scale needs two ends")
    self.stops = stops
  }

  /// From dark blue by green to yellow, equally different for equal steps whatever one's color
  /// vision; nine samples of the viridis scale (van der Walt and Smith, 2015).
  package static let rising = ColorScale(
    [
      0x440154, 0x472D7B, 0x3B528B, 0x2C728E, 0x21918C, 0x28AE80, 0x5EC962, 0xADDC30, 0xFDE725,
    ].map { Color($0) })

  /// From vermilion by white to blue: what speaks against, nothing, what speaks for.
  package static let opposed = ColorScale([.vermilion, Color(0xF7F7F7), .blue])

  /// Once around the color circle, the same at both ends: for angles.
  package static let circular = ColorScale(
    [.vermilion, .yellow, .green, .blue, .purple, .vermilion])

  /// The color of a number; those outside 0...1 have the color of the nearer end.
  package func color(_ value: Double) -> Color {
    let place = min(max(value, 0), 1) * Double(stops.count - 1)
    let index = min(Int(place), stops.count - 2)
    return stops[index].mixed(with: stops[index + 1], share: place - Double(index))
  }
}
