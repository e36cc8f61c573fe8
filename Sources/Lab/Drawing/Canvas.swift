internal import CCairo
internal import Glibc

/// A surface to draw on. Errors are kept until the drawing becomes a file, so no step throws.
///
/// Points are in the drawing's units, from the top left, x right and y down.
@safe struct Canvas: ~Copyable {
  private let context: OpaquePointer

  init(on surface: Surface) {
    // The context keeps the surface alive; if it cannot be made, it does nothing.
    unsafe context = cairo_create(surface.pointer)
  }

  deinit { unsafe cairo_destroy(context) }

  func check(_ doing: String) throws(DrawingError) {
    try Surface.check(unsafe cairo_status(context), doing)
  }

  func scale(by factor: Double) { unsafe cairo_scale(context, factor, factor) }

  struct Line: Hashable, Sendable {
    var color: Color
    /// In units.
    var width: Double
    /// Lengths of strokes and gaps in turn; empty for an unbroken line.
    var dashes: [Double]

    init(_ color: Color, width: Double = 1, dashes: [Double] = []) {
      (self.color, self.width, self.dashes) = (color, width, dashes)
    }
  }

  func fill(_ rectangle: Rectangle, _ color: Color) {
    path(rectangle)
    fillPath(color)
  }

  /// Fills the area inside a line through the points.
  func fill(_ outline: [Point], _ color: Color) {
    path(outline)
    unsafe cairo_close_path(context)
    fillPath(color)
  }

  func fill(circleAt center: Point, radius: Double, _ color: Color) {
    path(circleAt: center, radius: radius)
    fillPath(color)
  }

  func stroke(_ points: [Point], _ line: Line) {
    guard points.count > 1 else { return }
    path(points)
    strokePath(line)
  }

  func stroke(_ rectangle: Rectangle, _ line: Line) {
    path(rectangle)
    strokePath(line)
  }

  func stroke(circleAt center: Point, radius: Double, _ line: Line) {
    path(circleAt: center, radius: radius)
    strokePath(line)
  }

  /// Draws sharp-edged pixels.
  func draw(_ raster: Raster, in rectangle: Rectangle, opacity: Double = 1) {
    let surface = Surface(raster)
    unsafe cairo_save(context)
    unsafe cairo_translate(context, rectangle.x, rectangle.y)
    unsafe cairo_scale(
      context, rectangle.width / Double(raster.width), rectangle.height / Double(raster.height))
    unsafe cairo_set_source_surface(context, surface.pointer, 0, 0)
    unsafe cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST)
    unsafe cairo_paint_with_alpha(context, opacity)
    unsafe cairo_restore(context)
  }

  /// Clips what `body` draws.
  func clipped(to rectangle: Rectangle, _ body: () -> Void) {
    unsafe cairo_save(context)
    path(rectangle)
    unsafe cairo_clip(context)
    body()
    unsafe cairo_restore(context)
  }

  /// Writes a line of text whose anchor lies at `place`, on the base line. Turned by 1 it runs from
  /// top to bottom, by -1 from bottom to top.
  func write(_ text: String, at place: Point, _ style: TextStyle, quarterTurns: Int = 0) {
    unsafe cairo_save(context)
    unsafe cairo_translate(context, place.x, place.y)
    unsafe cairo_rotate(context, Double(quarterTurns) * .pi / 2)
    select(style)
    set(style.color)
    let shift = style.anchor.share * width(of: text)
    unsafe cairo_move_to(context, -shift, 0)
    unsafe cairo_show_text(context, text)
    unsafe cairo_restore(context)
  }

  func width(of text: String, _ style: TextStyle) -> Double {
    unsafe cairo_save(context)
    select(style)
    let width = width(of: text)
    unsafe cairo_restore(context)
    return width
  }

  private func width(of text: String) -> Double {
    var extents = cairo_text_extents_t()
    unsafe cairo_text_extents(context, text, &extents)
    return extents.x_advance
  }

  private func select(_ style: TextStyle) {
    unsafe cairo_select_font_face(
      context, TextStyle.font, CAIRO_FONT_SLANT_NORMAL,
      style.weight == .bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
    unsafe cairo_set_font_size(context, style.size)
  }

  private func path(_ points: [Point]) {
    unsafe cairo_new_path(context)
    for point in points { unsafe cairo_line_to(context, point.x, point.y) }
  }

  private func path(_ rectangle: Rectangle) {
    unsafe cairo_new_path(context)
    unsafe cairo_rectangle(context, rectangle.x, rectangle.y, rectangle.width, rectangle.height)
  }

  private func path(circleAt center: Point, radius: Double) {
    unsafe cairo_new_path(context)
    unsafe cairo_arc(context, center.x, center.y, radius, 0, 2 * .pi)
  }

  private func fillPath(_ color: Color) {
    set(color)
    unsafe cairo_fill(context)
  }

  private func strokePath(_ line: Line) {
    set(line.color)
    unsafe cairo_set_line_width(context, line.width)
    unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    unsafe cairo_set_line_cap(
      context, line.dashes.isEmpty ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT)
    unsafe cairo_set_dash(context, line.dashes, Int32(line.dashes.count), 0)
    unsafe cairo_stroke(context)
  }

  private func set(_ color: Color) {
    unsafe cairo_set_source_rgba(context, color.red, color.green, color.blue, color.opacity)
  }

  /// Draws a minutia: a ring, and a stroke two and a half times as long as its radius in the
  /// direction in radians from x towards y, which is clockwise.
  func mark(at place: Point, direction: Double, radius: Double, _ line: Line) {
    stroke(circleAt: place, radius: radius, line)
    let (x, y) = (cos(direction), sin(direction))
    stroke(
      [
        Point(place.x + radius * x, place.y + radius * y),
        Point(place.x + 3.5 * radius * x, place.y + 3.5 * radius * y),
      ], line)
  }
}
