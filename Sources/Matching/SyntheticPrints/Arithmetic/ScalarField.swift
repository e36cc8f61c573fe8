/// A number for each point of a grid; row-major from the top left.
struct ScalarField: Sendable {
  let width: Int
  let height: Int
  var values: [Float]

  init(width: Int, height: Int, repeating value: Float = 0) {
    (self.width, self.height) = (width, height)
    values = Array(repeating: value, count: width * height)
  }

  /// A field of values drawn evenly from -1...1, one for each cell of `spacing` grid points, and
  /// joined smoothly: hills and hollows about `spacing` wide.
  init(noiseOfWidth width: Int, height: Int, spacing: Int, from random: inout RandomStream) {
    self.init(width: width, height: height)
    let columns = width / spacing + 2
    let rows = height / spacing + 2
    var lattice: [Float] = []
    lattice.reserveCapacity(columns * rows)
    for _ in 0..<(columns * rows) { lattice.append(Float(random.uniform(in: -1...1))) }
    let ease = (0..<spacing).map { step -> Float in
      Float(Trigonometry.smoothStep(Double(step), from: 0, to: Double(spacing)))
    }
    for y in 0..<height {
      let above = y / spacing * columns
      let below = above + columns
      let down = ease[y % spacing]
      for x in 0..<width {
        let column = x / spacing
        let right = ease[x % spacing]
        let top = lattice[above + column]
        let bottom = lattice[below + column]
        let upper = top + (lattice[above + column + 1] - top) * right
        let lower = bottom + (lattice[below + column + 1] - bottom) * right
        values[y * width + x] = upper + (lower - upper) * down
      }
    }
  }

  subscript(x x: Int, y y: Int) -> Float {
    get { values[y * width + x] }
    set { values[y * width + x] = newValue }
  }

  /// The bilinear interpolation between grid points; nil outside the grid.
  func value(atX x: Float, y: Float) -> Float? {
    guard x >= 0, y >= 0, x < Float(width - 1), y < Float(height - 1) else { return nil }
    let column = Int(x)
    let row = Int(y)
    let right = x - Float(column)
    let down = y - Float(row)
    let index = row * width + column
    let upper = values[index] + (values[index + 1] - values[index]) * right
    let left = values[index + width]
    let lower = left + (values[index + width + 1] - left) * right
    return upper + (lower - upper) * down
  }

  /// Replaces every value by the weighted mean (1 2 1 in both directions) of its neighborhood.
  mutating func smooth() {
    for y in 0..<height {
      var before = values[y * width]
      for x in 0..<width {
        let here = values[y * width + x]
        let after = x + 1 < width ? values[y * width + x + 1] : here
        values[y * width + x] = (before + 2 * here + after) / 4
        before = here
      }
    }
    var above = Array(values[0..<width])
    for y in 0..<height {
      for x in 0..<width {
        let here = values[y * width + x]
        let below = y + 1 < height ? values[(y + 1) * width + x] : here
        values[y * width + x] = (above[x] + 2 * here + below) / 4
        above[x] = here
      }
    }
  }

  /// The mean of the squares within `radius` rows and columns of each point.
  func localPower(radius: Int) -> ScalarField {
    var sums = self
    for index in values.indices { sums.values[index] = values[index] * values[index] }
    sums.replaceByMeans(count: width, step: 1, lines: height, lineStep: width, radius: radius)
    sums.replaceByMeans(count: height, step: width, lines: width, lineStep: 1, radius: radius)
    return sums
  }

  private mutating func replaceByMeans(
    count: Int, step: Int, lines: Int, lineStep: Int, radius: Int
  ) {
    var line = [Float](repeating: 0, count: count)
    for start in 0..<lines {
      let first = start * lineStep
      for index in 0..<count { line[index] = values[first + index * step] }
      for index in 0..<count {
        let window = max(0, index - radius)...min(count - 1, index + radius)
        var sum: Float = 0
        for neighbor in window { sum += line[neighbor] }
        values[first + index * step] = sum / Float(window.count)
      }
    }
  }

  /// The field on a grid twice as fine, by band-limited interpolation: waves longer than about
  /// three grid points keep their height.
  func doubled() -> ScalarField {
    var wide = ScalarField(width: width * 2, height: height)
    for y in 0..<height {
      for x in 0..<width {
        wide[x: 2 * x, y: y] = self[x: x, y: y]
        wide[x: 2 * x + 1, y: y] = Self.midpoint { self[x: min(max(x + $0, 0), width - 1), y: y] }
      }
    }
    var fine = ScalarField(width: width * 2, height: height * 2)
    for y in 0..<height {
      for x in 0..<fine.width {
        fine[x: x, y: 2 * y] = wide[x: x, y: y]
        fine[x: x, y: 2 * y + 1] = Self.midpoint {
          wide[x: x, y: min(max(y + $0, 0), height - 1)]
        }
      }
    }
    return fine
  }

  /// The value halfway between neighbors 0 and 1, from neighbors -2...3: a sinc under a window that
  /// keeps constants.
  private static func midpoint(of neighbor: (Int) -> Float) -> Float {
    (neighbor(0) + neighbor(1)) * 0.6054 - (neighbor(-1) + neighbor(2)) * 0.1287
      + (neighbor(-2) + neighbor(3)) * 0.0233
  }
}
