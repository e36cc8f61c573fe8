internal import Glibc

/// Touches of a finger laid over each other: one print of everything seen of it.
///
/// The first touch gives the frame. Each later one is first bent to fit it, so that differently
/// stretched skin does not blur the ridges (Jain and Ross, "Fingerprint mosaicking", 2002, join
/// templates by a rigid motion only).
struct FingerMosaic: Sendable {
  /// Everything seen, as one print.
  private(set) var view: PrintView
  private(set) var touches: Int
  /// For each cell of ``view``, how many touches show it.
  private(set) var depths: [Float]
  private var minutiae: MosaicMinutiae
  /// The middle of the first touch, in pixels.
  private var center: SIMD2<Float>

  /// A mosaic of one touch, or of joined touches that count as `depth` touches everywhere.
  init(_ print: PrintView, depth: Float = 1) {
    view = print
    touches = Int(depth)
    depths = print.flow.clarity.map { $0 > 0 ? depth : 0 }
    minutiae = MosaicMinutiae(print.minutiae, found: depth)
    let middle = print.flow.center
    center = SIMD2(middle.x, middle.y)
  }

  /// How far the seen part reaches to each side of the middle of the first touch, in pixels.
  var reach: (left: Float, right: Float, up: Float, down: Float) {
    let side = Float(CellGrid.side)
    var reach: (left: Float, right: Float, up: Float, down: Float) = (0, 0, 0, 0)
    let grid = view.flow.grid
    for cell in 0..<grid.count where view.flow.clarity[cell] > 0 {
      let dx = (Float(cell % grid.columns) + 0.5) * side - center.x
      let dy = (Float(cell / grid.columns) + 0.5) * side - center.y
      reach.left = max(reach.left, -dx)
      reach.right = max(reach.right, dx)
      reach.up = max(reach.up, -dy)
      reach.down = max(reach.down, dy)
    }
    return reach
  }

  /// Adds another mosaic of the same finger.
  ///
  /// - `registration`: How `other` lies on this one.
  /// - Returns: Whether there was room for it; if not, nothing has changed.
  mutating func join(_ other: FingerMosaic, _ registration: RidgeRegistration) -> Bool {
    guard let touch = other.view.sheet, let own = view.sheet else { return false }
    let room = MosaicRoom(own.grid, touch: touch, registration)
    guard room.grid.columns <= CellGrid.mostCells, room.grid.rows <= CellGrid.mostCells else {
      return false
    }
    let moved = SIMD2(Float(room.columns), Float(room.rows)) * Float(CellGrid.side)
    var depths = [Float](repeating: 0, count: room.grid.count)
    for cell in 0..<own.grid.count {
      let (row, column) = (cell / own.grid.columns, cell % own.grid.columns)
      depths[(row + room.rows) * room.grid.columns + column + room.columns] = self.depths[cell]
    }
    let base = own.placed(on: room.grid, columns: room.columns, rows: room.rows)
    var blend = SheetBlend(base, depths: depths)
    blend.add(touch, depths: other.depths, registration, moved: moved)
    center += moved
    minutiae.move(moved)
    minutiae.join(other.minutiae, registration, moved: moved, grid: touch.grid)
    self.depths = blend.depths
    touches += other.touches
    let sheet = blend.sheet
    let flow = sheet.flow
    view = PrintView(
      minutiae: minutiae.weighed(by: blend.depths, on: flow), flow: flow, sheet: sheet)
    return true
  }
}

/// The grid that holds a mosaic and a touch laid over it.
private struct MosaicRoom {
  let grid: CellGrid
  /// Columns and rows added at the left and top.
  let columns: Int
  let rows: Int

  init(_ own: CellGrid, touch: PhaseField, _ registration: RidgeRegistration) {
    let side = Float(CellGrid.side)
    var (left, top, right, bottom) = (0, 0, own.columns, own.rows)
    for cell in 0..<touch.grid.count where touch.flow.clarity[cell] > 0 {
      let x = (Float(cell % touch.grid.columns) + 0.5) * side
      let y = (Float(cell / touch.grid.columns) + 0.5) * side
      let place = registration.place(of: x, y, in: touch.grid) / side
      // A touch is at most a thousand pixels wide, so nothing lies farther off than this.
      guard abs(place.x) < 1024, abs(place.y) < 1024 else { continue }
      let (column, row) = (Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
      left = min(left, column)
      top = min(top, row)
      right = max(right, column + 1)
      bottom = max(bottom, row + 1)
    }
    grid = CellGrid(columns: right - left, rows: bottom - top)
    columns = -left
    rows = -top
  }
}

/// The minutiae of joined touches: each once, with how often it was found.
struct MosaicMinutiae: Sendable {
  /// Minutiae closer than this are the same, in pixels.
  static let distance: Float = 8
  /// Cosine of the angle by which their directions may differ (37 degrees).
  static let cosine: Float = 0.8

  private struct Spot: Sendable {
    var minutia: Minutia
    var found: Float
  }

  private var spots: [Spot]

  init(_ minutiae: [Minutia], found: Float = 1) {
    spots = minutiae.map { Spot(minutia: $0, found: found) }
  }

  /// Moves all, in pixels.
  mutating func move(_ way: SIMD2<Float>) {
    for k in spots.indices { spots[k].minutia = spots[k].minutia.moved(way.x, way.y) }
  }

  /// Adds other minutiae; one that lies on a known minutia is averaged with it.
  mutating func join(
    _ others: MosaicMinutiae, _ registration: RidgeRegistration, moved: SIMD2<Float>,
    grid: CellGrid
  ) {
    var isFree = [Bool](repeating: true, count: spots.count)
    for other in others.spots {
      let place = registration.place(of: other.minutia.x, other.minutia.y, in: grid) + moved
      let direction = Angle.wrapped(other.minutia.direction + registration.motion.rotation)
      let there = Minutia(
        x: place.x, y: place.y, direction: direction, quality: other.minutia.quality,
        period: other.minutia.period)
      var nearest: (index: Int, square: Float)?
      for k in isFree.indices where isFree[k] {
        let own = spots[k].minutia
        let square = (own.x - there.x) * (own.x - there.x) + (own.y - there.y) * (own.y - there.y)
        guard square < nearest?.square ?? (Self.distance * Self.distance) else { continue }
        guard cosf(own.direction - there.direction) > Self.cosine else { continue }
        nearest = (k, square)
      }
      guard let nearest else {
        spots.append(Spot(minutia: there, found: other.found))
        continue
      }
      isFree[nearest.index] = false
      average(nearest.index, with: there, found: other.found)
    }
  }

  private mutating func average(_ index: Int, with other: Minutia, found: Float) {
    let share = found / (spots[index].found + found)
    var own = spots[index].minutia
    own.x += share * (other.x - own.x)
    own.y += share * (other.y - own.y)
    own.direction = Angle.wrapped(
      own.direction + share * Angle.wrapped(other.direction - own.direction))
    // A template of version 2 does not say how far apart its ridges are.
    let isKnown = own.period > 0 && other.period > 0
    own.period =
      isKnown ? own.period + share * (other.period - own.period) : max(own.period, other.period)
    own.quality = max(own.quality, other.quality)
    spots[index].minutia = own
    spots[index].found += found
  }

  /// The minutiae in no particular order; those that most touches of their place do not show have
  /// less quality.
  ///
  /// - `depths`: How many touches show each cell.
  /// - `flow`: The flow with these cells.
  func weighed(by depths: [Float], on flow: OrientationField) -> [Minutia] {
    spots.map { spot in
      let cell = flow.cell(at: spot.minutia.x, spot.minutia.y)
      let depth = cell.map { depths[$0] } ?? spot.found
      var minutia = spot.minutia
      // One touch in two misses a minutia that is there, so half of the touches are enough.
      minutia.quality *= min(1, (spot.found + 0.5) / (0.6 * depth + 0.5))
      return minutia
    }
  }
}
