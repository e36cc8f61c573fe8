/// The touches of a finger, joined wherever they lie over each other.
///
/// On a large sensor they become one mosaic. On a small one there are islands at first, which
/// become one as touches fill what is between them.
struct FingerParts: Sendable {
  /// The mosaics, those of most touches first.
  private(set) var mosaics: [FingerMosaic] = []
  private var placing = TouchPlacing()

  /// All touches.
  var touches: Int { mosaics.reduce(0) { $0 + $1.touches } }

  /// Takes in a touch, and joins mosaics that turn out to lie over each other.
  mutating func add(_ touch: PrintView) {
    var rest = mosaics
    var joined = FingerMosaic(touch)
    // What has grown may reach another part.
    while let (index, whole) = fit(joined, to: rest) {
      rest.remove(at: index)
      joined = whole
    }
    mosaics = (rest + [joined]).sorted { $0.touches > $1.touches }
  }

  /// The mosaic that a part fits best, and both joined.
  private mutating func fit(
    _ part: FingerMosaic, to others: [FingerMosaic]
  ) -> (index: Int, whole: FingerMosaic)? {
    var best: (index: Int, placed: TouchPlacing.Placed)?
    for (index, other) in others.enumerated() {
      let (small, large) = part.touches <= other.touches ? (part, other) : (other, part)
      guard let placed = placing.place(small.view, on: large.view),
        placed.rank > best?.placed.rank ?? -.infinity
      else { continue }
      best = (index, placed)
    }
    guard let best else { return nil }
    let other = others[best.index]
    let (small, large) = part.touches <= other.touches ? (part, other) : (other, part)
    var whole = large
    return whole.join(small, best.placed.registration) ? (best.index, whole) : nil
  }
}
