/// What the filters tuned to each cell's ridges answer: the ridges without noise, as a wave.
///
/// At each pixel even + i odd is a complex number whose length says how much like ridges the image
/// is there and whose phase says where between two ridges the pixel lies (0 on a ridge).
struct RidgeResponse: Sendable {
  let grid: CellGrid
  let width: Int
  let height: Int
  private(set) var even: [Float]
  private(set) var odd: [Float]
  /// The orientation each cell's filter has, radians in 0..<π: the phase rises across it.
  private(set) var tuning: [Float]

  /// - Parameters:
  ///   - image: The normalised image.
  ///   - wave: Orientation and period to tune to.
  ///   - cells: Cells to filter; elsewhere the response is 0.
  init(filtering image: Plane, tunedTo wave: RidgeWave, where cells: [Bool]) {
    let grid = wave.grid
    self.grid = grid
    width = image.width
    height = image.height
    let bank = RidgeFilterBank.shared
    let padded = PaddedRows(image, reach: RidgeFilterBank.reach, paddedTo: CellGrid.side)
    even = [Float](repeating: 0, count: image.width * image.height)
    odd = even
    tuning = [Float](repeating: 0, count: grid.count)
    for row in 0..<grid.rows {
      let ys = CellGrid.pixels(of: row, length: image.height)
      for column in 0..<grid.columns where cells[row * grid.columns + column] {
        let cell = row * grid.columns + column
        let filter = bank.index(orientation: wave.orientation[cell], period: wave.period[cell])
        let (cosine, sine) = bank.kernels(filter)
        tuning[cell] = RidgeFilterBank.orientation(of: filter)
        let xs = CellGrid.pixels(of: column, length: image.width)
        for y in ys {
          let (real, imaginary) = padded.answers(
            at: xs.lowerBound, y, kernels: (cosine, sine), side: RidgeFilterBank.side)
          for x in xs {
            even[y * width + x] = real[x - xs.lowerBound]
            odd[y * width + x] = imaginary[x - xs.lowerBound]
          }
        }
      }
    }
  }
}
