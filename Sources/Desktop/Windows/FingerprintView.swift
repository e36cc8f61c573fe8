import CGTK
package import Protocol
import WindowContents

/// A drawn fingerprint. It fills on a match, shakes on a miss, and shows the coverage of an
/// enrollment.
///
/// Without animations (`gtk-enable-animations`) it changes at once. It draws and wakes the process
/// only on changes.
package final class FingerprintView: Widget {
  package enum State: Equatable {
    case idle
    case awaitingTouch
    case matched
    case missed
    /// How much an enrollment has seen, 0…1, and where.
    case covered(Double, CoveragePicture)
  }

  private var state = State.idle
  private var motion = FingerprintMotion()
  private var isTicking = false

  /// `side` is its width, in pixels at scale 1.
  package init(name: String, side: Int32 = 120) {
    unsafe super.init(cgtk_new_drawing())
    let area = unsafe object.as(GtkDrawingArea.self)
    unsafe gtk_drawing_area_set_content_width(area, side)
    unsafe gtk_drawing_area_set_content_height(
      area, Int32((Double(side) * FingerprintRidges.height).rounded(.up)))
    setAccessibleName(name)
    align(horizontally: .center, vertically: .center)
    // The widget does not keep the pointer longer than this value: `deinit` takes it back.
    unsafe gtk_drawing_area_set_draw_func(
      area, Self.draw, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  isolated deinit {
    unsafe gtk_drawing_area_set_draw_func(object.as(GtkDrawingArea.self), nil, nil, nil)
  }

  /// Shows a state. A match and a miss are animated.
  package func show(_ state: State) {
    self.state = state
    switch state {
    case .matched: motion.begin(.filling, at: Self.now)
    case .missed: motion.begin(.shaking, at: Self.now)
    case .idle, .awaitingTouch, .covered: motion.begin(.still, at: Self.now)
    }
    if motion.kind != .still, cgtk_animates() != 0 { tick() }
    unsafe gtk_widget_queue_draw(pointer)
  }

  private static var now: Double { Double(g_get_monotonic_time()) / 1_000_000 }

  private func tick() {
    guard !isTicking else { return }
    isTicking = true
    // This reference is released when the motion is over or the widget ends.
    let view = unsafe Unmanaged.passRetained(self).toOpaque()
    unsafe gtk_widget_add_tick_callback(
      pointer,
      { _, _, data in
        guard let data = unsafe data else { return 0 }
        let view = unsafe Unmanaged<FingerprintView>.fromOpaque(data).takeUnretainedValue()
        return MainActor.assumeIsolated { view.step() } ? 1 : 0
      }, view, releaseKept)
  }

  /// - Returns: whether the motion goes on.
  private func step() -> Bool {
    unsafe gtk_widget_queue_draw(pointer)
    isTicking = !motion.isOver(at: Self.now)
    return isTicking
  }

  /// Called by GTK with this value.
  private static let draw: GtkDrawingAreaDrawFunc = { _, context, width, height, data in
    guard let data = unsafe data, let context = unsafe context else { return }
    let view = unsafe Unmanaged<FingerprintView>.fromOpaque(data).takeUnretainedValue()
    // Used only during this call, on the main thread.
    nonisolated(unsafe) let target = unsafe context
    MainActor.assumeIsolated {
      view.draw(with: unsafe FingerprintBrush(target), width: Double(width), height: Double(height))
    }
  }

  private func draw(with brush: FingerprintBrush, width: Double, height: Double) {
    let isStill = cgtk_animates() == 0
    let scale = min(width / 1.16, height / FingerprintRidges.height)
    let moment = Self.now
    let offset = isStill ? 0 : motion.offset(at: moment)
    brush.place(
      x: (width - scale) / 2 + offset * scale, y: (height - scale * FingerprintRidges.height) / 2,
      scale: scale)
    let accent = color("accent_color")
    switch state {
    case .idle: brush.drawAll(color(nil), opacity: 0.3)
    case .awaitingTouch: brush.drawAll(accent, opacity: 0.9)
    case .missed: brush.drawAll(color("error_color"), opacity: 1)
    case .matched:
      brush.drawAll(accent, opacity: 0.25)
      brush.drawAll(color("success_color"), opacity: 1, upTo: isStill ? 1 : motion.fill(at: moment))
    case .covered(let share, let picture):
      brush.drawAll(color(nil), opacity: 0.2)
      brush.draw(accent, seenIn: picture, or: share)
    }
  }

  /// A color of the style sheet; the text's if it has none of that name.
  private func color(_ name: String?) -> GdkRGBA {
    let style = unsafe gtk_widget_get_style_context(pointer)
    var color = GdkRGBA()
    if let name, unsafe gtk_style_context_lookup_color(style, name, &color) != 0 { return color }
    unsafe gtk_style_context_get_color(style, &color)
    return color
  }
}

/// Draws the ridges during one draw call of GTK.
@safe
private struct FingerprintBrush {
  private let context: OpaquePointer

  /// - Parameter context: GTK's context, valid as long as this value.
  init(_ context: OpaquePointer) { unsafe self.context = context }

  /// Sets where the ridges begin, and the pixels per unit.
  func place(x: Double, y: Double, scale: Double) {
    unsafe cairo_translate(context, x, y)
    unsafe cairo_scale(context, scale, scale)
    unsafe cairo_set_line_width(context, FingerprintRidges.width)
    unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
  }

  /// Draws the ridges from the bottom up to `share`.
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

  /// Draws the ridges that an enrollment has seen, in the middle of the finger. Without a picture,
  /// the share grows from the core.
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

  /// How many places of the picture are as wide as the finger: a pad is 17 mm wide, a place 1.2 mm.
  private static let columnsAcross = 14.0

  private static func strength(
    at place: FingerprintRidges.Place, _ picture: CoveragePicture, _ share: Double
  ) -> Double {
    guard picture.columns > 0 else {
      let (x, y) = (place.x - 0.5, (place.y - 0.56) / FingerprintRidges.height)
      return x * x + y * y <= share * 0.4 ? 0.9 : 0
    }
    // The picture is centered. A picture larger than the drawing is scaled down.
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
