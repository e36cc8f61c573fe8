/// What a touch says about an enrolled finger: how sure it is, and which part of the finger it
/// shows.
package struct TouchEvidence: Sendable {
  /// Touches with lower scores are not placed: nothing says where they lie.
  static let leastScore = 2.0
  /// Largest ridge area of a touch that is placed, in mm²: that of a sensor of 132 by 132 pixels.
  ///
  /// Owners of larger ones are hardly ever refused, and synthetic strangers gain: at 160 pixels 16
  /// of 101,400 prompts opened when touches added up, 9 by one alone.
  static let mostArea = 45.0

  /// See ``TouchScore/sure``.
  package let score: Double
  /// The cells of the finger that the touch shows; empty if it is not placed.
  private(set) var cells = CellSet()

  /// Whether a touch shows so little that it counts together with others of its prompt. Says nothing
  /// of whose it is.
  package static func addsUp(_ probe: PrintFeatures) -> Bool { probe.ridgeArea <= mostArea }

  /// Overwrites where the touch lies.
  mutating func wipe() { cells.wipe() }
}

/// Some cells of a finger, by their numbers.
struct CellSet: Sendable {
  private var words: [UInt64] = []

  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  mutating func insert(_ cell: Int) {
    while words.count <= cell / 64 { words.append(0) }
    words[cell / 64] |= 1 << UInt64(cell % 64)
  }

  mutating func formUnion(_ other: CellSet) {
    while words.count < other.words.count { words.append(0) }
    for (index, word) in other.words.enumerated() { words[index] |= word }
  }

  /// The share of the cells that are not in another set, 0...1; 0 if there are none.
  func share(outside other: CellSet) -> Double {
    var outside = 0
    for (index, word) in words.enumerated() {
      outside += (index < other.words.count ? word & ~other.words[index] : word).nonzeroBitCount
    }
    return Double(outside) / Double(max(count, 1))
  }

  mutating func wipe() { words.wipe(with: 0) }
}

extension PrintMatcher {
  /// What a touch says about a finger: its score, and where it lies if it is small and not
  /// hopeless.
  ///
  /// - `storage`: Working storage, kept from call to call.
  package func evidence(
    probe: PrintFeatures, against finger: FingerTemplate, using storage: inout MatchingStorage
  ) -> TouchEvidence {
    let touch = probe.view
    var cells = CellSet()
    let score = compare(probe, with: finger, using: &storage) { storage, number, score in
      guard score >= TouchEvidence.leastScore, TouchEvidence.addsUp(probe),
        let match = storage.match(of: touch, on: finger.parts[number])
      else { return }
      let first = finger.parts[..<number].reduce(0) { $0 + $1.flow.grid.count }
      cells = Self.cells(of: touch, under: match.registration, on: finger.parts[number], first)
    }
    return TouchEvidence(score: score.sure, cells: cells)
  }

  /// The cells of a part that a touch shows.
  ///
  /// Each cell of the touch is looked at in four points, so that a turned one leaves no gaps.
  ///
  /// - `first`: The number of the part's first cell.
  private static func cells(
    of touch: PrintView, under registration: RidgeRegistration, on part: PrintView, _ first: Int
  ) -> CellSet {
    var cells = CellSet()
    let (grid, side) = (touch.flow.grid, Float(CellGrid.side))
    for cell in 0..<grid.count where touch.flow.clarity[cell] > 0 {
      let corner = SIMD2(Float(cell % grid.columns), Float(cell / grid.columns)) * side
      for quarter in 0..<4 {
        let point = corner + (SIMD2(Float(quarter % 2), Float(quarter / 2)) + 0.5) * side / 2
        let place = registration.place(of: point.x, point.y, in: grid)
        guard let shown = part.flow.cell(at: place.x, place.y) else { continue }
        cells.insert(first + shown)
      }
    }
    return cells
  }
}
