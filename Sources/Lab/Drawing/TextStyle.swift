/// How a line of text looks.
package struct TextStyle: Hashable, Sendable {
  /// Where the place of a text lies in it.
  package enum Anchor: Hashable, Sendable {
    case start, middle, end

    /// How much of the text's width is before the place.
    var share: Double {
      switch self {
      case .start: 0
      case .middle: 0.5
      case .end: 1
      }
    }
  }

  package enum Weight: Hashable, Sendable {
    case regular, bold
  }

  static let font = "DejaVu Sans"

  /// Units from one base line to about the next.
  package var size: Double
  package var color: Color
  package var anchor: Anchor
  package var weight: Weight

  package init(
    size: Double, color: Color = .black, anchor: Anchor = .start, weight: Weight = .regular
  ) {
    (self.size, self.color, self.anchor, self.weight) = (size, color, anchor, weight)
  }
}
