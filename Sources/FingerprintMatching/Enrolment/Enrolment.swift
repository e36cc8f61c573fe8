/// Collects touches of one finger until enough of it is known.
package struct Enrolment: Sendable {
  /// Touches without which there is nothing to commit.
  package static let minimumTouches = 3
  /// Touches after which a finger that was seen well is known.
  static let usualTouches = 5
  /// Finger area that counts as fully covered, mm².
  static let fullArea = 160.0
  /// Least ridge area of a touch, mm².
  static let leastArea = 12.0
  /// Least quality of a touch.
  static let leastQuality = 0.1
  /// Score between two impressions from which on they are taken to be aligned.
  static let linkScore: Float = 2

  private var impressions: [FingerTemplate.Impression] = []
  private var size = TemplateCoding.headerSize
  /// Cells of 8 by 8 pixels seen, per group.
  private var seen: [Int: Set<SeenCell>] = [:]

  private struct SeenCell: Hashable, Sendable {
    let column: Int
    let row: Int
  }

  /// An enrolment without touches.
  package init() {}

  /// Touches accepted.
  package var usableTouches: Int { impressions.count }

  /// How much of the finger is known, 0...1.
  package var coverage: Double {
    let millimetres = Double(CellGrid.side) * 25.4 / Double(WorkingImage.pixelsPerInch)
    let cells = seen.values.map(\.count).max() ?? 0
    let area = min(Double(cells) * millimetres * millimetres / Self.fullArea, 1)
    return area * min(Double(usableTouches) / Double(Self.usualTouches), 1)
  }

  /// Whether more touches would add little.
  package var isComplete: Bool {
    coverage >= 0.95 || usableTouches >= FingerTemplate.mostImpressions
  }

  /// The finger as known so far; nil while there is no touch.
  package func template() -> FingerTemplate? {
    impressions.isEmpty ? nil : FingerTemplate(impressions: impressions)
  }

  /// Offers a touch.
  ///
  /// - Parameter touch: Features of a frame.
  /// - Returns: Whether it is used, and what the person should do next.
  package mutating func add(_ touch: PrintFeatures) -> Outcome {
    if let guidance = refusal(of: touch) { return .refused(guidance) }
    var pairing = MinutiaPairing()
    let links = impressions.compactMap { impression in
      Comparison.best(probe: touch.view, gallery: impression.view, using: &pairing).map {
        (impression, $0)
      }
    }
    let best = links.max { $0.1.score < $1.1.score }
    let placement: RigidMotion
    let group: Int
    if let best, best.1.score >= Self.linkScore {
      placement = best.0.placement.after(best.1.motion)
      group = best.0.group
    } else {
      placement = RigidMotion(rotation: 0, dx: 0, dy: 0)
      group = (impressions.map(\.group).max() ?? -1) + 1
    }
    let added = TemplateCoding.size(of: touch.view)
    guard impressions.count < FingerTemplate.mostImpressions,
      size + added <= FingerTemplate.mostBytes
    else { return .refused(.differentPart) }
    size += added
    impressions.append(
      FingerTemplate.Impression(view: touch.view, placement: placement, group: group))
    mark(touch.view.flow, placement, group)
    return .accepted(coverage: coverage, advice: nil)
  }

  private func refusal(of touch: PrintFeatures) -> Guidance? {
    if !touch.hasRidges { return .noRidges }
    if touch.ridgeArea < Self.leastArea { return .tooSmall }
    if touch.quality < Self.leastQuality { return .poorQuality }
    return nil
  }

  private mutating func mark(_ flow: RidgeFlow, _ placement: RigidMotion, _ group: Int) {
    let side = Float(CellGrid.side)
    for cell in 0..<flow.grid.count where flow.clarity[cell] > 0 {
      let column = Float(cell % flow.grid.columns) + 0.5
      let row = Float(cell / flow.grid.columns) + 0.5
      let place = placement.apply(column * side, row * side)
      guard abs(place.x) < 1e6, abs(place.y) < 1e6 else { continue }
      seen[group, default: []].insert(
        SeenCell(
          column: Int((place.x / side).rounded(.down)), row: Int((place.y / side).rounded(.down))))
    }
  }
}
