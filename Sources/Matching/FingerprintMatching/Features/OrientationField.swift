internal import Glibc

/// The coarse picture of a print that a template keeps beside the minutiae: where there are
/// ridges, how they run and how clear they are, for each cell of 8 by 8 pixels.
struct OrientationField: Hashable, Sendable {
  let grid: CellGrid
  /// Direction along the ridges, 256 steps for half a turn.
  let orientation: [UInt8]
  /// How clear the ridges are, 1...255; 0 where there are none.
  let clarity: [UInt8]

  init(grid: CellGrid, orientation: [UInt8], clarity: [UInt8]) {
    self.grid = grid
    self.orientation = orientation
    self.clarity = clarity
  }

  init(wave: RidgeWave, map: RidgeMap) {
    grid = map.grid
    orientation = wave.orientation.map {
      UInt8(truncatingIfNeeded: Int(($0 / .pi * 256).rounded()))
    }
    clarity = zip(map.isRidges, map.clarity).map { isRidges, clarity in
      isRidges ? UInt8(min(max(clarity * 255, 1), 255)) : 0
    }
  }

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
  /// has too few minutiae to say it: more than that of a sensor of 88 by 88 pixels, 20 mm², and
  /// less than that of one of 112, 32 mm².
  ///
  /// Searching larger touches too lets more owners in, and synthetic strangers: with 36 mm² 5 of
  /// 1,680 tries of 112 pixels, with 70 mm² 3 of 1,680 of 160 pixels, up to a score of 24; with
  /// this none, 12.1 at most.
  static let smallArea = 26.0
  /// Cells for which comparing ridges makes room at once: more than a touch of ``smallArea`` has.
  static let smallCells = 512

  /// Whether it is a small sensor's, or only a small part of the finger touched.
  var isSmall: Bool { Double(ridgeCells) * CellGrid.cellArea <= Self.smallArea }

  /// The number of cells with ridges.
  var ridgeCells: Int { clarity.reduce(0) { $0 + ($1 > 0 ? 1 : 0) } }
}

extension OrientationField {
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
}
