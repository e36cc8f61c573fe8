/// The weights of ``RidgeJudge``, and what they do with numbers.
struct RidgeNet: Sendable {
  private static let room = OrientationField.smallCells * Row.width

  static let learned = RidgeNet(text)

  /// A row for each input, the last one for none.
  private let see: [Row]
  /// Rows for each of nine cells, row by row from above left, and one for none.
  private let first: [Row]
  private let second: [Row]
  private let say: Row
  /// What a cell says without any of that, and the sum without any cell.
  private let (sayAnyway, start): (Float, Float)
  /// What pairs of minutiae count.
  private let pairs: Float

  /// - `text`: For each weight w two letters of 64 from "0" on, of 12 bits: 1024 w + 2048.
  private init(_ text: String) {
    let letters = text.utf8.filter { $0 >= 48 }.map { Int($0) - 48 }
    let weights = stride(from: 0, to: letters.count, by: 2).map { (at: Int) -> Float in
      let step: Int = 64 * letters[at] + letters[at + 1]
      return Float(step - 2048) / 1024
    }
    var rows = stride(from: 0, to: weights.count, by: Row.width).map { first in
      Row { weights[first + $0] }
    }[...]
    func take(_ count: Int) -> [Row] {
      defer { rows = rows.dropFirst(count) }
      return Array(rows.prefix(count))
    }
    see = take(RidgeJudge.inputs + 1)
    first = take(9 * Row.width + 1)
    second = take(9 * Row.width + 1)
    say = take(1)[0]
    let rest = Array(weights.suffix(Row.width))
    // No weight in the text lies beyond -2...2; the sum begins lower.
    (sayAnyway, pairs, start) = (rest[0], rest[1], 8 * rest[2])
  }

  /// What the first layer says of each cell.
  ///
  /// - `cells`: ``RidgeJudge/inputs`` of each cell.
  /// - `shares`: The share of each cell that both show; those with none say nothing.
  /// - `layer`: A row for each cell.
  func see(_ cells: [Float], _ shares: [Float], _ layer: inout [Float]) {
    let (cells, shares, see) = (cells.span, shares.span, see.span)
    layer.fill(with: 0, count: shares.count * Row.width, room: Self.room)
    var layer = layer.mutableSpan
    for cell in shares.indices where shares[cell] > 0 {
      var sum = see[RidgeJudge.inputs]
      let own = cells.window(from: cell * RidgeJudge.inputs, length: RidgeJudge.inputs)
      Self.add(own, see, at: 0, &sum)
      sum.clearNegative()
      sum.write(to: &layer, at: cell * Row.width)
    }
  }

  /// What the second layer says of each cell and those around it.
  func combine(
    _ seen: [Float], _ shares: [Float], _ grid: CellGrid, _ layer: inout [Float]
  ) {
    let (seen, shares, first) = (seen.span, shares.span, first.span)
    layer.fill(with: 0, count: shares.count * Row.width, room: Self.room)
    var layer = layer.mutableSpan
    for cell in shares.indices where shares[cell] > 0 {
      let sum = around(cell, first, seen, shares, grid)
      sum.write(to: &layer, at: cell * Row.width)
    }
  }

  /// The natural logarithm of how much likelier an owner is than a stranger, by the second layer
  /// and the third one, which adds to it.
  ///
  /// - `paired`: See ``RidgeMatch/paired``.
  func evidence(
    _ combined: [Float], _ shares: [Float], _ grid: CellGrid, paired: Float
  ) -> Float {
    let (combined, shares, second) = (combined.span, shares.span, second.span)
    var total = start + pairs * paired
    for cell in shares.indices where shares[cell] > 0 {
      let sum = around(cell, second, combined, shares, grid)
      let own = combined.window(from: cell * Row.width, length: Row.width)
      total += shares[cell] * (sayAnyway + say.weighed(sum, and: own))
    }
    return total
  }

  @inline(__always)
  private func around(
    _ cell: Int, _ weights: Span<Row>, _ numbers: Span<Float>, _ shares: Span<Float>,
    _ grid: CellGrid
  ) -> Row {
    let (row, column) = (cell / grid.columns, cell % grid.columns)
    var sum = weights[9 * Row.width]
    for y in max(row - 1, 0)...min(row + 1, grid.rows - 1) {
      for x in max(column - 1, 0)...min(column + 1, grid.columns - 1) {
        let other = y * grid.columns + x
        guard shares[other] > 0 else { continue }
        let which = (y - row + 1) * 3 + x - column + 1
        Self.add(
          numbers.window(from: other * Row.width, length: Row.width), weights,
          at: which * Row.width, &sum)
      }
    }
    sum.clearNegative()
    return sum
  }

  @inline(__always)
  private static func add(
    _ numbers: Span<Float>, _ weights: Span<Row>, at first: Int, _ sum: inout Row
  ) {
    let weights = weights.window(from: first, length: numbers.count)
    for index in numbers.indices { sum.add(numbers[index], times: weights[index]) }
  }
}

/// The numbers that a layer says of a cell, in as many vectors as there are registers for.
private struct Row: Sendable {
  static let width = 32

  private var (a, b, c, d): (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>)

  init(_ value: (Int) -> Float) {
    func eight(_ first: Int) -> SIMD8<Float> {
      var lanes = SIMD8<Float>.zero
      for lane in 0..<8 { lanes[lane] = value(first + lane) }
      return lanes
    }
    (a, b, c, d) = (eight(0), eight(8), eight(16), eight(24))
  }

  @inline(__always)
  mutating func add(_ number: Float, times row: Row) {
    a += number * row.a
    b += number * row.b
    c += number * row.c
    d += number * row.d
  }

  @inline(__always)
  mutating func clearNegative() {
    a = pointwiseMax(a, .zero)
    b = pointwiseMax(b, .zero)
    c = pointwiseMax(c, .zero)
    d = pointwiseMax(d, .zero)
  }

  /// The sum of the numbers of another row and of `numbers`, weighed by these.
  @inline(__always)
  func weighed(_ row: Row, and numbers: Span<Float>) -> Float {
    var sum = a * (row.a + numbers.eight(at: 0))
    sum += b * (row.b + numbers.eight(at: 8))
    sum += c * (row.c + numbers.eight(at: 16))
    sum += d * (row.d + numbers.eight(at: 24))
    return sum.sum()
  }

  @inline(__always)
  @_lifetime(numbers: copy numbers)
  func write(to numbers: inout MutableSpan<Float>, at index: Int) {
    numbers.set(a, at: index)
    numbers.set(b, at: index + 8)
    numbers.set(c, at: index + 16)
    numbers.set(d, at: index + 24)
  }
}
