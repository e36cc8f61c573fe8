extension OrientationField {
  /// By how much directions differ once the first was turned, in 256 steps for half a turn: at most
  /// 128.
  @inline(__always)
  static func angle(_ own: UInt8, turnedBy turn: Int, _ other: UInt8) -> Int {
    let turned = UInt8(truncatingIfNeeded: Int(own) + turn)
    return Int(Int8(bitPattern: turned &- other).magnitude)
  }

  /// The steps in which directions count, of a motion's turn.
  static func steps(ofTurn motion: RigidMotion) -> Int {
    Int((motion.rotation / .pi * 256).rounded())
  }

  /// Calls `body` with each two cells that show ridges in both flows under a motion, and the angle
  /// between their directions; of this flow every second cell of every second row is looked at.
  @inline(__always)
  func compare(
    with gallery: OrientationField, under motion: SkinMotion,
    _ body: (_ own: Int, _ other: Int, _ angle: Int) -> Void
  ) {
    let turn = Self.steps(ofTurn: motion.rigid)
    let side = Float(CellGrid.side)
    let step = 2 * side * motion.right
    let (clarity, orientation) = (clarity.span, orientation.span)
    let (otherClarity, otherOrientation) = (gallery.clarity.span, gallery.orientation.span)
    let (columns, rows) = (gallery.grid.columns, gallery.grid.rows)
    let (width, height) = (Float(columns) * side, Float(rows) * side)
    for row in stride(from: 0, to: grid.rows, by: 2) {
      let start = motion.apply(0.5 * side, (Float(row) + 0.5) * side)
      var place = SIMD2(start.x, start.y) - step
      for column in stride(from: 0, to: grid.columns, by: 2) {
        place += step
        let cell = row &* grid.columns &+ column
        guard clarity[cell] > 0, place.x >= 0, place.y >= 0, place.x < width, place.y < height
        else {
          continue
        }
        let other = Int(place.y / side) &* columns &+ Int(place.x / side)
        guard otherClarity[other] > 0 else { continue }
        body(
          cell, other, Self.angle(orientation[cell], turnedBy: turn, otherOrientation[other]))
      }
    }
  }
}
