/// A place in a print, in pixels at 500 per inch, x right and y down.
package struct PrintPoint: Hashable, Sendable {
  /// Pixels from the image's left edge.
  package var x: Double
  /// Pixels from the image's top edge.
  package var y: Double
}
