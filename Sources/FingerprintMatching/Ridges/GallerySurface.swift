/// A gallery sheet as the samples of a probe meet it, for the innermost loop of comparing ridges.
struct GallerySurface: ~Escapable {
  private let waves: Span<SIMD2<Float>>
  private let normals: Span<SIMD2<Float>>
  private let width: Int
  private let columns: Int
  private let limit: SIMD2<Float>

  @_lifetime(borrow sheet)
  init(_ sheet: borrowing RidgeSheet) {
    waves = sheet.waves.span
    normals = sheet.normals.span
    width = sheet.width
    columns = sheet.grid.columns
    limit = SIMD2(Float(sheet.width), Float(sheet.height))
  }

  /// The wave at a place, its phase counted along a direction across the ridges; zero where there is
  /// none.
  ///
  /// - Parameters:
  ///   - place: In samples, of which the first covers 0..<1.
  ///   - normal: The direction, of length 1.
  ///   - wavenumber: By how much the phase grows from sample to sample across the ridges.
  /// - Returns: A complex number of length 1, or zero.
  @inline(__always)
  func wave(
    at place: SIMD2<Float>, along normal: SIMD2<Float>, wavenumber: Float
  ) -> SIMD2<Float> {
    guard place.x >= 0, place.y >= 0, place.x < limit.x, place.y < limit.y else { return .zero }
    let (x, y) = (Int(place.x), Int(place.y))
    let sample = waves[y &* width &+ x]
    let across = normals[
      y / RidgeSheet.density &* columns &+ x / RidgeSheet.density]
    let off = (place.x - Float(x) - 0.5) * across.x + (place.y - Float(y) - 0.5) * across.y
    let turned = sample.turned(by: off * wavenumber)
    let isAlong = across.x * normal.x + across.y * normal.y >= 0
    return SIMD2(turned.x, isAlong ? turned.y : -turned.y)
  }
}
