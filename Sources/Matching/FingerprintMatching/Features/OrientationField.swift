internal import Glibc

/// The coarse picture of a print that a template keeps beside the minutiae: where there are ridges,
/// their direction and their clarity, for each cell of 8 by 8 pixels.
struct OrientationField: Hashable, Sendable {
  let grid: CellGrid
  /// Direction along the ridges, 256 steps for half a turn.
  let orientation: [UInt8]
  /// How clear the ridges are, 1...255, or 0 if there are none.
  let clarity: [UInt8]

  /// The cell at a pixel, if it shows ridges.
  @inline(__always)
  func cell(at x: Float, _ y: Float) -> Int? {
    let side = Float(CellGrid.side)
    guard x >= 0, y >= 0, x < Float(grid.columns) * side, y < Float(grid.rows) * side else {
      return nil
    }
    let cell = Int(y / side) * grid.columns + Int(x / side)
    return clarity[cell] > 0 ? cell : nil
  }

  /// Ridge area in mm² up to which a place on the finger is searched for by ridges, since a touch
  /// has too few minutiae: more than that of a sensor of 88 by 88 pixels, 20 mm², and less than
  /// that of 112 by 112, 32 mm².
  ///
  /// Searching for larger touches too lets more owners in, and synthetic strangers: with 36 mm² 5
  /// of 1,680 tries of 112 pixels, with 70 mm² 3 of 1,680 of 160 pixels, up to a score of 24; with
  /// this none, 12.1 at most.
  static let smallArea = 26.0
  /// Cells for which comparing ridges allocates room at first: more than a touch of ``smallArea``
  /// has.
  static let smallCells = 512

  /// Whether the sensor is small, or only a small part of the finger touched.
  var isSmall: Bool { ridgeArea <= Self.smallArea }

  /// Ridge area in mm² up to which a place on the finger is also searched for by ridges if minutiae
  /// leave it open: that of a sensor of 200 by 200 pixels.
  static let partialArea = 100.0

  var isPartial: Bool { ridgeArea <= Self.partialArea }

  /// Whether ridges must vouch for minutiae, of which a touch of up to 70 mm² has few: that of a
  /// sensor of 160 by 160 pixels.
  var isOfSmallSensor: Bool { ridgeArea <= AdaptingTemplate.mostArea }

  /// In mm².
  var ridgeArea: Double { Double(ridgeCells) * CellGrid.cellArea }

  var ridgeCells: Int { clarity.reduce(0) { $0 + ($1 > 0 ? 1 : 0) } }

  /// The middle of the cells with ridges, in pixels.
  var center: (x: Float, y: Float) {
    var (x, y, count) = (Float(0), Float(0), Float(0))
    for cell in 0..<grid.count where clarity[cell] > 0 {
      x += Float(cell % grid.columns) + 0.5
      y += Float(cell / grid.columns) + 0.5
      count += 1
    }
    let scale = Float(CellGrid.side) / max(count, 1)
    return (x * scale, y * scale)
  }

  /// The grid without the empty rows and columns around the ridges, and how many columns and rows
  /// are removed at the left and top; one cell if there are no ridges.
  var shownPart: (grid: CellGrid, columns: Int, rows: Int) {
    let shown = (0..<grid.count).filter { clarity[$0] > 0 }
    let columns = shown.map { $0 % grid.columns }
    let rows = shown.map { $0 / grid.columns }
    guard let left = columns.min(), let right = columns.max(), let top = rows.min(),
      let bottom = rows.max()
    else { return (CellGrid(columns: 1, rows: 1), 0, 0) }
    return (CellGrid(columns: right - left + 1, rows: bottom - top + 1), left, top)
  }

  /// The difference of two directions after turning the first, in 256 steps for half a turn:
  /// 0...128.
  @inline(__always)
  static func angle(_ own: UInt8, turnedBy turn: Int, _ other: UInt8) -> Int {
    let turned = UInt8(truncatingIfNeeded: Int(own) + turn)
    return Int(Int8(bitPattern: turned &- other).magnitude)
  }

  /// The turn of a motion, in 256 steps for half a turn.
  static func steps(ofTurn motion: RigidMotion) -> Int {
    Int((motion.rotation / .pi * 256).rounded())
  }

  /// Calls `body` with each two cells that show ridges in both flows under a motion, and the angle
  /// between their directions. Looks at every second cell of every second row of this flow.
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
        else { continue }
        let other = Int(place.y / side) &* columns &+ Int(place.x / side)
        guard otherClarity[other] > 0 else { continue }
        body(cell, other, Self.angle(orientation[cell], turnedBy: turn, otherOrientation[other]))
      }
    }
  }
}

extension OrientationField {
  init(wave: RidgeWave, map: RidgeMap) {
    grid = map.grid
    orientation = wave.orientation.map {
      UInt8(truncatingIfNeeded: Int(($0 / .pi * 256).rounded()))
    }
    clarity = zip(map.isRidges, map.clarity).map { isRidges, clarity in
      isRidges ? UInt8(min(max(clarity * 255, 1), 255)) : 0
    }
  }
}
