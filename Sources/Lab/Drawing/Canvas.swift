internal import CCairo
internal import Glibc

/// What is drawn on. Errors are kept until the drawing is made into a file, so no step throws.
///
/// Points are in the drawing's units, from the top left, x right and y down.
@safe package struct Canvas: ~Copyable {
  private let context: OpaquePointer

  init(on surface: Surface) {
    // The context keeps the surface alive; where it cannot be made it is one that does nothing.
    unsafe context = cairo_create(surface.pointer)
  }

  deinit { unsafe cairo_destroy(context) }

  func check(_ doing: String) throws(DrawingError) {
    try Surface.check(unsafe cairo_status(context), doing)
  }

  func scale(by factor: Double) { unsafe cairo_scale(context, factor, factor) }

  /// How the ends and the length of a line look.
  package struct Line: Hashable, Sendable {
    package var color: Color
    /// In units.
    package var width: Double
    /// Lengths of strokes and gaps in turn; empty for an unbroken line.
    package var dashes: [Double]

    package init(_ color: Color, width: Double = 1, dashes: [Double] = []) {
      (self.color, self.width, self.dashes) = (color, width, dashes)
    }
  }

  package func fill(_ rectangle: Rectangle, _ color: Color) {
    path(rectangle)
    fillPath(color)
  }

  /// Fills the area inside a line through the points.
  package func fill(_ outline: [Point], _ color: Color) {
    path(outline)
    unsafe cairo_close_path(context)
    fillPath(color)
  }

  package func fill(circleAt center: Point, radius: Double, _ color: Color) {
    path(circleAt: center, radius: radius)
    fillPath(color)
  }

  /// Draws a line through the points.
  package func stroke(_ points: [Point], _ line: Line) {
    guard points.count > 1 else { return }
    path(points)
    strokePath(line)
  }

  /// Draws a rectangle's outline.
  package func stroke(_ rectangle: Rectangle, _ line: Line) {
    path(rectangle)
    strokePath(line)
  }

  package func stroke(circleAt center: Point, radius: Double, _ line: Line) {
    path(circleAt: center, radius: radius)
    strokePath(line)
  }

  /// Draws a raster into a rectangle, each of its pixels sharp-edged.
  package func draw(_ raster: Raster, in rectangle: Rectangle, opacity: Double = 1) {
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

  /// Draws what is drawn in `body` inside a rectangle only.
  package func clipped(to rectangle: Rectangle, _ body: () -> Void) {
    unsafe cairo_save(context)
    path(rectangle)
    unsafe cairo_clip(context)
    body()
    unsafe cairo_restore(context)
  }

  /// Writes a line of text.
  ///
  /// - Parameters:
  ///   - text: What to write.
  ///   - place: Where the anchor comes to lie, on the base line.
  ///   - style: How it looks.
  ///   - quarterTurns: 1 writes from top to bottom, -1 from bottom to top, around `place`.
  package func write(
    _ text: String, at place: Point, _ style: TextStyle, quarterTurns: Int = 0
  ) {
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

  /// How wide a line of text is, in units.
  package func width(of text: String, _ style: TextStyle) -> Double {
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
    unsafe cairo_rectangle(
      context, rectangle.x, rectangle.y, rectangle.width, rectangle.height)
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
    unsafe cairo_set_source_rgba(
      context, color.red, color.green, color.blue, color.opacity)
  }

  /// Draws a print's mark for a minutia: a ring where it is, a stroke the way it points.
  ///
  /// - Parameters:
  ///   - place: Where it is.
  ///   - direction: Radians from x towards y, which is clockwise.
  ///   - radius: Of the ring, in units; the stroke is two and a half times as long.
  ///   - line: How both look.
  package func mark(at place: Point, direction: Double, radius: Double, _ line: Line) {
    stroke(circleAt: place, radius: radius, line)
    let (x, y) = (cos(direction), sin(direction))
    stroke(
      [
        Point(place.x + radius * x, place.y + radius * y),
        Point(place.x + 3.5 * radius * x, place.y + 3.5 * radius * y),
      ], line)
  }
}
