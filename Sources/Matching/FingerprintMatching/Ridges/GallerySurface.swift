/// A gallery sheet, as the innermost loop of comparing ridges reads it.
struct GallerySurface: ~Escapable {
  /// A number whose last bits count ones: adding to it rounds to a whole number, which the bits
  /// then show. Faster than a conversion, which checks for values that no `Int` holds.
  private static let rounding: Float = 12_582_912

  private let waves: Span<SIMD2<Float>>
  private let normals: Span<SIMD2<Float>>
  private let width: Int
  private let height: Int
  private let columns: Int

  @_lifetime(borrow sheet)
  init(_ sheet: borrowing PhaseField) {
    waves = sheet.waves.span
    normals = sheet.normals.span
    width = sheet.width
    height = sheet.height
    columns = sheet.grid.columns
  }

  /// The wave at a place, its phase counted along a direction across the ridges: a complex number
  /// of length 1, or zero if the finger shows no ridges there.
  ///
  /// - `place`: In samples from the middle of the first; at most a million.
  /// - `normal`: The direction, of length 1.
  /// - `wavenumber`: Growth of the phase per sample across the ridges.
  @inline(__always)
  func wave(at place: SIMD2<Float>, along normal: SIMD2<Float>, wavenumber: Float) -> SIMD2<Float> {
    let rounded = place + Self.rounding
    let x = Int(rounded.x.bitPattern) &- Int(Self.rounding.bitPattern)
    let y = Int(rounded.y.bitPattern) &- Int(Self.rounding.bitPattern)
    guard x >= 0, y >= 0, x < width, y < height else { return .zero }
    let sample = waves[y &* width &+ x]
    let across = normals[(y &>> 2) &* columns &+ (x &>> 2)]
    let off = place - (rounded - Self.rounding)
    let turned = sample.turned(by: (off.x * across.x + off.y * across.y) * wavenumber)
    let isAlong = across.x * normal.x + across.y * normal.y >= 0
    return SIMD2(turned.x, isAlong ? turned.y : -turned.y)
  }
}
