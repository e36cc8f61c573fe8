import Glibc

/// The lines of the drawn fingerprint: a loop of the project's own, on a field one unit wide and
/// ``height`` units high, from the top left.
package enum FingerprintRidges {
  package struct Place: Hashable, Sendable {
    package let x: Double
    package let y: Double
  }

  package static let height = 1.25
  /// The distance of two lines' centers.
  private static let distance = 0.082
  /// The width of each line.
  package static let width = 0.042

  /// The lines, innermost first, as places close to each other.
  package static let lines: [[Place]] = (0..<7).flatMap { ring in pieces(of: arch(ring), ring) }

  /// The core, around which the lines lie.
  private static let core = Place(x: 0.5, y: 0.56)

  /// A line goes up on the left, around the core, and down on the right. The legs of outer lines
  /// spread.
  private static func arch(_ ring: Int) -> [Place] {
    let radius = 0.035 + Double(ring) * distance
    let top = radius * 1.12
    let spread = 0.02 + 0.012 * Double(ring)
    func leg(_ side: Double) -> [Place] {
      stride(from: 0.0, to: 0.75, by: 0.015).map { down in
        Place(x: core.x + side * (radius + spread * sin(down * 2.1)), y: core.y + down)
      }
    }
    let around = stride(from: Double.pi, through: 2 * .pi, by: .pi / 48).map { angle in
      Place(x: core.x + radius * cos(angle), y: core.y + top * sin(angle))
    }
    return (leg(-1).reversed() + around + leg(1)).filter(isOnFinger)
  }

  /// Whether a place is in the oval that a finger touches.
  static func isOnFinger(_ place: Place) -> Bool {
    let (x, y) = ((place.x - 0.5) / 0.5, (place.y - height / 2) / (height / 2))
    return pow(abs(x), 2.3) + pow(abs(y), 2.3) <= 0.92
  }

  /// Makes gaps, at places that differ from line to line.
  private static func pieces(of line: [Place], _ ring: Int) -> [[Place]] {
    let gaps = [
      [0.30], [0.72], [0.18, 0.60], [0.40, 0.86], [0.12, 0.52], [0.33, 0.78], [0.22, 0.66],
    ]
    let half = 0.028 * 20 / Double(max(line.count, 20)) + 0.012
    var pieces: [[Place]] = []
    var piece: [Place] = []
    for (index, place) in line.enumerated() {
      let share = Double(index) / Double(max(line.count - 1, 1))
      if gaps[ring].contains(where: { abs($0 - share) < half }) {
        pieces.append(piece)
        piece = []
      } else {
        piece.append(place)
      }
    }
    return (pieces + [piece]).filter { $0.count > 2 }
  }
}

/// The motion of the drawn fingerprint. Moments are passed in, so that tests need no clock.
package struct FingerprintMotion: Equatable {
  package enum Kind: Equatable {
    case still
    /// Color rises from the bottom.
    case filling
    /// It swings to both sides, and comes to rest.
    case shaking
  }

  package private(set) var kind = Kind.still
  private var began = 0.0

  package init() {}

  /// Begins a motion. Moments are seconds of any clock.
  package mutating func begin(_ kind: Kind, at moment: Double) {
    self.kind = kind
    began = moment
  }

  package func isOver(at moment: Double) -> Bool { kind == .still || moment - began >= length }

  /// How much is filled, 0…1.
  package func fill(at moment: Double) -> Double {
    guard kind == .filling else { return 0 }
    let share = min(max((moment - began) / length, 0), 1)
    // Fast at first, slow at the end.
    return 1 - pow(1 - share, 3)
  }

  /// How far it is to the side, as a share of its width.
  package func offset(at moment: Double) -> Double {
    guard kind == .shaking, !isOver(at: moment) else { return 0 }
    let share = max(0, (moment - began) / length)
    return 0.07 * (1 - share) * sin(share * 4 * 2 * .pi)
  }

  private var length: Double {
    switch kind {
    case .still: 0
    case .filling: 0.45
    case .shaking: 0.5
    }
  }
}
