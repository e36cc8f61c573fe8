extension CoveragePicture {
  /// The most columns or rows.
  package static let mostPlaces = 64
  /// The most that each half of a place says.
  package static let mostSteps: UInt8 = 15

  /// Places from left to right.
  package var columns: Int { Int(width) }

  /// A picture in which nothing was seen.
  package static let empty = CoveragePicture(columns: 0, times: [], clarity: [])

  /// - Parameters:
  ///   - columns: ``mostPlaces`` at most.
  ///   - times: For each place how many touches showed it, 0...15.
  ///   - clarity: For each place how clear its ridges are, 0...15.
  package init(columns: Int, times: [UInt8], clarity: [UInt8]) {
    self.init(
      width: UInt8(columns),
      places: zip(times, clarity).map {
        min($0, Self.mostSteps) << 4 | min($1, Self.mostSteps)
      })
  }

  /// Places from the tip down.
  package var rows: Int { columns == 0 ? 0 : places.count / columns }

  /// How many touches showed a place, 0...15; 0 beyond the picture.
  package func times(column: Int, row: Int) -> Int { Int(place(column, row) >> 4) }

  /// How clear the ridges of a place are, 0...15; 0 beyond the picture.
  package func clarity(column: Int, row: Int) -> Int { Int(place(column, row) & 15) }

  private func place(_ column: Int, _ row: Int) -> UInt8 {
    guard 0..<columns ~= column, 0..<rows ~= row else { return 0 }
    return places[row * columns + column]
  }

  func check() throws(DecodeError) {
    guard columns <= Self.mostPlaces,
      columns == 0
        ? places.isEmpty
        : places.count.isMultiple(of: columns) && places.count / columns <= Self.mostPlaces
    else { throw .invalidValue(field: "coverage picture") }
  }
}
