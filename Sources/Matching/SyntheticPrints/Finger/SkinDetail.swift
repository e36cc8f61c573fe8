/// What is on the skin besides ridges: uneven ridge edges, pores along the ridges, creases across
/// them. It belongs to the finger, so every impression shows the same.
struct SkinDetail {
  private var random: RandomStream

  init(from random: RandomStream) { self.random = random }

  /// Adds the detail to ridges of height -1...1.
  mutating func engrave(_ skin: inout ScalarField) {
    roughen(&skin)
    openPores(in: &skin)
    for _ in 0..<creaseCount() { cutCrease(in: &skin) }
  }

  private mutating func roughen(_ skin: inout ScalarField) {
    let fine = ScalarField(noiseOfWidth: skin.width, height: skin.height, spacing: 3, from: &random)
    let coarse = ScalarField(
      noiseOfWidth: skin.width, height: skin.height, spacing: 11, from: &random)
    for index in skin.values.indices {
      skin.values[index] += 0.38 * fine.values[index] + 0.26 * coarse.values[index]
    }
  }

  /// At most one pore in each small cell, on the crest of the ridge that crosses it.
  private mutating func openPores(in skin: inout ScalarField) {
    let cell = 9
    let ridges = skin
    for top in stride(from: 2, to: skin.height - cell - 2, by: cell) {
      for left in stride(from: 2, to: skin.width - cell - 2, by: cell) {
        let column = left + Int(random.uniform(in: 0...8))
        let depth = Float(random.uniform(in: 0.2...1.5))
        let crest = (top..<(top + cell)).max { ridges[x: column, y: $0] < ridges[x: column, y: $1] }
        guard let row = crest, ridges[x: column, y: row] > 0.6 else { continue }
        for y in -1...1 {
          for x in -1...1 {
            let share: Float = x == 0 && y == 0 ? 1 : (x == 0 || y == 0 ? 0.5 : 0.25)
            skin[x: column + x, y: row + y] -= depth * share
          }
        }
      }
    }
  }

  /// Most fingers have none or one; some have several.
  private mutating func creaseCount() -> Int {
    let draw = random.uniform(in: 0...1)
    return draw < 0.4 ? 0 : draw < 0.7 ? 1 : draw < 0.9 ? 2 : 4
  }

  /// A furrow a few pixels wide and 30 to 130 long, tapering at its ends, mostly level.
  private mutating func cutCrease(in skin: inout ScalarField) {
    let middleX = random.uniform(in: 60...Double(skin.width - 60))
    let middleY = random.uniform(in: 90...Double(skin.height - 90))
    let angle = random.bell(deviation: 0.5)
    let half = random.uniform(in: 15...65)
    let width = random.uniform(in: 0.7...1.9)
    let bend = random.bell(deviation: 0.0025)
    let cosine = Trigonometry.cosine(angle)
    let sine = Trigonometry.sine(angle)
    let reach = Int(half) + 8
    for y in max(0, Int(middleY) - reach)..<min(skin.height, Int(middleY) + reach) {
      for x in max(0, Int(middleX) - reach)..<min(skin.width, Int(middleX) + reach) {
        let dx = Double(x) - middleX
        let dy = Double(y) - middleY
        let along = dx * cosine + dy * sine
        let across = dy * cosine - dx * sine - bend * along * along
        let taper = 1 - Trigonometry.smoothStep(abs(along), from: half * 0.6, to: half)
        guard taper > 0, abs(across) < 6 else { continue }
        let depth = 2.0 * taper * Trigonometry.decay(across * across / (2 * width * width))
        skin[x: x, y: y] -= Float(depth)
      }
    }
  }
}
