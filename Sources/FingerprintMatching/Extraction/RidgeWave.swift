internal import Glibc

/// The wave that the ridges of each cell look like: its orientation and its period.
///
/// Ridges are locally a plane wave, so a cell needs the direction across its ridges and their
/// distance only (Larkin and Fletcher, "A coherent framework for fingerprint analysis", 2007).
struct RidgeWave: Sendable {
  /// The periods in pixels at 500 ppi that ridges have: 0.23 mm (a child's) to 0.8 mm.
  static let periods: ClosedRange<Float> = 4.5...16
  /// What is assumed before anything was measured: 9 pixels, 0.46 mm, an adult's mean.
  static let usualPeriod: Float = 9

  let grid: CellGrid
  /// Direction along the ridges, radians in 0..<π, x right and y down.
  var orientation: [Float]
  /// How much the gradients around the cell agree, 0...1.
  var coherence: [Float]
  /// Distance from ridge to ridge, in pixels.
  var period: [Float]

  /// Orientation by the structure tensor: the principal axis of the gradients around a cell
  /// (Bazen and Gerez, "Systematic methods for the computation of the directional fields and
  /// singular points of fingerprints", 2002, section 2).
  ///
  /// - Parameters:
  ///   - image: The normalised image.
  ///   - grid: Its cells.
  ///   - sigma: Width of the Gaussian neighbourhood, in cells.
  init(gradientsOf image: Plane, grid: CellGrid, sigma: Float) {
    var difference = [Float](repeating: 0, count: grid.count)
    var product = [Float](repeating: 0, count: grid.count)
    var energy = [Float](repeating: 0, count: grid.count)
    for y in 1..<max(image.height - 1, 1) {
      let row = y / CellGrid.side * grid.columns
      for x in 1..<max(image.width - 1, 1) {
        let at = y * image.width + x
        let above = at - image.width
        let below = at + image.width
        let samples = image.samples
        // Scharr's kernel, whose direction is true to a fraction of a degree at these periods.
        let gx =
          3 * (samples[above + 1] - samples[above - 1] + samples[below + 1] - samples[below - 1])
          + 10 * (samples[at + 1] - samples[at - 1])
        let gy =
          3 * (samples[below - 1] - samples[above - 1] + samples[below + 1] - samples[above + 1])
          + 10 * (samples[below] - samples[above])
        let cell = row + x / CellGrid.side
        difference[cell] += gx * gx - gy * gy
        product[cell] += 2 * gx * gy
        energy[cell] += gx * gx + gy * gy
      }
    }
    self.init(
      grid: grid, difference: grid.smoothed(difference, sigma: sigma),
      product: grid.smoothed(product, sigma: sigma), energy: grid.smoothed(energy, sigma: sigma))
  }

  private init(grid: CellGrid, difference: [Float], product: [Float], energy: [Float]) {
    self.grid = grid
    orientation = [Float](repeating: 0, count: grid.count)
    coherence = [Float](repeating: 0, count: grid.count)
    period = [Float](repeating: Self.usualPeriod, count: grid.count)
    for cell in 0..<grid.count {
      let across = 0.5 * atan2f(product[cell], difference[cell])
      orientation[cell] = Self.wrapped(across + .pi / 2)
      let length =
        (difference[cell] * difference[cell] + product[cell] * product[cell]).squareRoot()
      coherence[cell] = energy[cell] > 1e-6 ? min(length / energy[cell], 1) : 0
    }
  }

  /// Orientation and period by how the phase of the filtered ridges advances from pixel to pixel.
  ///
  /// - Parameters:
  ///   - response: The answer of filters tuned to a first guess of the wave.
  ///   - sigma: Width of the Gaussian neighbourhood, in cells.
  init(phaseOf response: RidgeResponse, sigma: Float) {
    let grid = response.grid
    var difference = [Float](repeating: 0, count: grid.count)
    var product = [Float](repeating: 0, count: grid.count)
    var energy = [Float](repeating: 0, count: grid.count)
    var advance = [Float](repeating: 0, count: grid.count)
    for row in 0..<grid.rows {
      let ys = CellGrid.pixels(of: row, length: response.height)
      for column in 0..<grid.columns {
        let xs = CellGrid.pixels(of: column, length: response.width)
        var right = (real: Float(0), imaginary: Float(0))
        var down = (real: Float(0), imaginary: Float(0))
        for y in ys.dropLast() {
          for x in xs.dropLast() {
            let at = y * response.width + x
            let (a, b) = (response.even[at], response.odd[at])
            let (c, d) = (response.even[at + 1], response.odd[at + 1])
            let (e, f) = (response.even[at + response.width], response.odd[at + response.width])
            right.real += a * c + b * d
            right.imaginary += a * d - b * c
            down.real += a * e + b * f
            down.imaginary += a * f - b * e
          }
        }
        let kx = atan2f(right.imaginary, right.real)
        let ky = atan2f(down.imaginary, down.real)
        let weight = (right.real * right.real + right.imaginary * right.imaginary).squareRoot()
        let square = kx * kx + ky * ky
        guard square > 1e-4 else { continue }
        let cell = row * grid.columns + column
        difference[cell] = weight * (kx * kx - ky * ky) / square
        product[cell] = weight * 2 * kx * ky / square
        energy[cell] = weight
        advance[cell] = weight * square.squareRoot()
      }
    }
    let weights = grid.smoothed(energy, sigma: sigma)
    self.init(
      grid: grid, difference: grid.smoothed(difference, sigma: sigma),
      product: grid.smoothed(product, sigma: sigma), energy: weights)
    // The distance of ridges changes more slowly than their direction.
    let advances = grid.smoothed(advance, sigma: sigma * 2)
    let wide = grid.smoothed(energy, sigma: sigma * 2)
    for cell in 0..<grid.count where wide[cell] > 1e-6 {
      let found = 2 * Float.pi * wide[cell] / max(advances[cell], 1e-6)
      period[cell] = min(max(found, Self.periods.lowerBound), Self.periods.upperBound)
    }
  }

  /// The direction along the ridges at a pixel, of the two opposite ones that closer to `guess`;
  /// radians in -π...π.
  func direction(at x: Float, _ y: Float, near guess: Float) -> Float {
    let column = x / Float(CellGrid.side) - 0.5
    let row = y / Float(CellGrid.side) - 0.5
    var (cosine, sine) = (Float(0), Float(0))
    for cy in [row.rounded(.down), row.rounded(.down) + 1] {
      for cx in [column.rounded(.down), column.rounded(.down) + 1] {
        let r = min(max(Int(cy), 0), grid.rows - 1)
        let c = min(max(Int(cx), 0), grid.columns - 1)
        let weight = (1 - abs(cx - column)) * (1 - abs(cy - row))
        let angle = 2 * orientation[r * grid.columns + c]
        cosine += weight * cosf(angle)
        sine += weight * sinf(angle)
      }
    }
    let angle = 0.5 * atan2f(sine, cosine)
    return Angle.wrapped(cosf(angle - guess) >= 0 ? angle : angle + .pi)
  }

  /// An orientation brought into 0..<π.
  static func wrapped(_ orientation: Float) -> Float {
    let turned = orientation - (orientation / .pi).rounded(.down) * .pi
    return turned < .pi ? turned : 0
  }
}
