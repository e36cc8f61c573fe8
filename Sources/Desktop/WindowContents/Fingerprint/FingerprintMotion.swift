import Glibc

/// How the drawn fingerprint moves: a value that takes moments, so that no test needs a clock.
package struct FingerprintMotion: Equatable {
  package enum Kind: Equatable {
    case still
    /// Color rises from the bottom.
    case filling
    /// It swings to both sides, less each time.
    case shaking
  }

  package private(set) var kind = Kind.still
  private var began = 0.0

  /// At rest.
  package init() {}

  /// Begins at this moment, in seconds of any clock.
  package mutating func begin(_ kind: Kind, at moment: Double) {
    self.kind = kind
    began = moment
  }

  /// Whether it is over at this moment.
  package func isOver(at moment: Double) -> Bool { kind == .still || moment - began >= length }

  /// How much is filled, 0…1.
  package func fill(at moment: Double) -> Double {
    guard kind == .filling else { return 0 }
    let share = min(max((moment - began) / length, 0), 1)
    // Quick at first, slow at the end.
    return 1 - pow(1 - share, 3)
  }

  /// How far to the side it is, in shares of its width.
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
