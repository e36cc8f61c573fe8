import CGTK
import Protocol
import WindowContents

/// Draws the ridges onto what GTK shows. Lives as long as one call of GTK's to draw.
@safe
struct FingerprintBrush {
  private let context: OpaquePointer

  /// - Parameter context: of GTK's, valid while this value is.
  init(_ context: OpaquePointer) { unsafe self.context = context }

  /// Where the field of the ridges begins, and how many pixels a unit has.
  func place(x: Double, y: Double, scale: Double) {
    unsafe cairo_translate(context, x, y)
    unsafe cairo_scale(context, scale, scale)
    unsafe cairo_set_line_width(context, FingerprintRidges.width)
    unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
  }

  /// All ridges; `upTo`: the lowest share of them.
  func drawAll(_ color: GdkRGBA, opacity: Double, upTo share: Double = 1) {
    unsafe cairo_save(context)
    if share < 1 {
      let height = FingerprintRidges.height
      unsafe cairo_rectangle(context, -0.5, height * (1 - share), 2, height * share)
      unsafe cairo_clip(context)
    }
    set(color, opacity)
    for line in FingerprintRidges.lines { stroke(line[...]) }
    unsafe cairo_restore(context)
  }

  /// The ridges at places that an enrollment has seen, in the middle of the finger; where it does not
  /// say which, so much of them from the core outwards.
  func draw(_ color: GdkRGBA, seenIn picture: CoveragePicture, or share: Double) {
    for line in FingerprintRidges.lines {
      var start = 0
      while start < line.count {
        let strength = Self.strength(at: line[start], picture, share)
        var end = start + 1
        while end < line.count, Self.strength(at: line[end], picture, share) == strength {
          end += 1
        }
        if strength > 0 {
          set(color, strength)
          stroke(line[start..<min(end + 1, line.count)])
        }
        start = end
      }
    }
  }

  /// Places of the picture across the drawn finger: a finger's pad is 17 mm wide, a place 1.2 mm.
  private static let columnsAcross = 14.0

  private static func strength(
    at place: FingerprintRidges.Place, _ picture: CoveragePicture, _ share: Double
  ) -> Double {
    guard picture.columns > 0 else {
      let (x, y) = (place.x - 0.5, (place.y - 0.56) / FingerprintRidges.height)
      return x * x + y * y <= share * 0.4 ? 0.9 : 0
    }
    // The middle of what was seen lies in the middle of the drawing; a picture larger than it is
    // drawn smaller.
    let across = max(columnsAcross, Double(picture.columns), Double(picture.rows) / 1.25)
    let column = (place.x - 0.5) * across + Double(picture.columns) / 2
    let row = (place.y - FingerprintRidges.height / 2) * across + Double(picture.rows) / 2
    guard column >= 0, row >= 0 else { return 0 }
    switch picture.times(column: Int(column), row: Int(row)) {
    case 0: return 0
    case 1: return 0.6
    default: return 1
    }
  }

  private func stroke(_ line: ArraySlice<FingerprintRidges.Place>) {
    unsafe cairo_new_path(context)
    for place in line { unsafe cairo_line_to(context, place.x, place.y) }
    unsafe cairo_stroke(context)
  }

  private func set(_ color: GdkRGBA, _ opacity: Double) {
    unsafe cairo_set_source_rgba(
      context, Double(color.red), Double(color.green), Double(color.blue),
      Double(color.alpha) * opacity)
  }
}
