import CGTK
package import Protocol
import WindowContents

/// A drawn fingerprint: pale while a touch is awaited, filled on a match, shaken on a miss, and where
/// a finger is enrolled with the places shown that were seen of it.
///
/// Without animations (`gtk-enable-animations`) it takes the last state at once. Nothing is drawn, and
/// nothing wakes the process, while nothing changes.
package final class FingerprintView: Widget {
  /// What it tells.
  package enum State: Equatable {
    /// Nothing is awaited.
    case idle
    case awaitingTouch
    case matched
    case missed
    /// An enrollment has seen so much: 0…1, and where.
    case covered(Double, CoveragePicture)
  }

  private var state = State.idle
  private var motion = FingerprintMotion()
  private var isTicking = false

  /// `side`: how wide it is, in pixels of scale 1.
  package init(name: String, side: Int32 = 120) {
    unsafe super.init(cgtk_new_drawing())
    let area = unsafe object.as(GtkDrawingArea.self)
    unsafe gtk_drawing_area_set_content_width(area, side)
    unsafe gtk_drawing_area_set_content_height(
      area, Int32((Double(side) * FingerprintRidges.height).rounded(.up)))
    setAccessibleName(name)
    align(horizontally: .center, vertically: .center)
    // The widget keeps the pointer no longer than this value lives: `deinit` takes it back.
    unsafe gtk_drawing_area_set_draw_func(
      area, Self.draw, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  isolated deinit {
    unsafe gtk_drawing_area_set_draw_func(object.as(GtkDrawingArea.self), nil, nil, nil)
  }

  /// Shows another state; a match and a miss are moved into.
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
    // A reference that is given up when the motion is over or the widget ends.
    let view = unsafe Unmanaged.passRetained(self).toOpaque()
    unsafe gtk_widget_add_tick_callback(
      pointer,
      { _, _, data in
        guard let data = unsafe data else { return 0 }
        let view = unsafe Unmanaged<FingerprintView>.fromOpaque(data).takeUnretainedValue()
        return MainActor.assumeIsolated { view.step() } ? 1 : 0
      }, view,
      { data in
        guard let data = unsafe data else { return }
        unsafe Unmanaged<FingerprintView>.fromOpaque(data).release()
      })
  }

  /// - Returns: whether there is more to come.
  private func step() -> Bool {
    unsafe gtk_widget_queue_draw(pointer)
    isTicking = !motion.isOver(at: Self.now)
    return isTicking
  }

  // MARK: Drawing

  /// Called by GTK with this value.
  private static let draw: GtkDrawingAreaDrawFunc = { _, context, width, height, data in
    guard let data = unsafe data, let context = unsafe context else { return }
    let view = unsafe Unmanaged<FingerprintView>.fromOpaque(data).takeUnretainedValue()
    // Used by this call alone, which comes on the main thread.
    nonisolated(unsafe) let target = unsafe context
    MainActor.assumeIsolated {
      view.draw(
        with: unsafe FingerprintBrush(target), width: Double(width), height: Double(height))
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
      brush.drawAll(
        color("success_color"), opacity: 1, upTo: isStill ? 1 : motion.fill(at: moment))
    case .covered(let share, let picture):
      brush.drawAll(color(nil), opacity: 0.2)
      brush.draw(accent, seenIn: picture, or: share)
    }
  }

  /// A color of the style sheet's; nil: that of text.
  private func color(_ name: String?) -> GdkRGBA {
    let style = unsafe gtk_widget_get_style_context(pointer)
    var color = GdkRGBA()
    if let name, unsafe gtk_style_context_lookup_color(style, name, &color) != 0 { return color }
    unsafe gtk_style_context_get_color(style, &color)
    return color
  }
}
