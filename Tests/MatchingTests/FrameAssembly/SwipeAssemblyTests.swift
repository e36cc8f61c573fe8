import FrameAssembly
import Testing

@Suite("Stripes of a swipe")
struct StripeAssemblyTests {
  private let picture = RidgePicture(width: 160, height: 400)

  /// Stripes of 96x24 pixels along these steps, from (30, 10) on.
  private func swipe(_ steps: [(x: Int, y: Int)]) throws -> StripeSeries {
    var places = [(x: 30, y: 10)]
    for step in steps {
      let last = places[places.count - 1]
      places.append((last.x + step.x, last.y + step.y))
    }
    return try StripeSeries(
      width: 96, height: 24, count: places.count,
      pixels: picture.stripes(width: 96, height: 24, at: places))
  }

  private func assembled(
    _ series: StripeSeries, least: Int = 0, placement: StripePlacement = .exact
  ) throws -> SwipeImage {
    try series.assembled(imageWidth: 144, heights: least...1000, placement: placement)
  }

  @Test("what was swiped comes out pixel by pixel", arguments: [StripePlacement.exact, .robust])
  func straight(placement: StripePlacement) throws {
    let image = try assembled(
      swipe([3, 5, 8, 8, 9, 7, 6, 4].map { (0, $0) }), placement: placement)
    #expect([image.width, image.height] == [144, 74])
    #expect(image.layout == [.flippedHorizontally, .flippedVertically])
    let middle = image.part(rows: 0..<74, columns: 24..<120)
    #expect(middle == picture.part(x: 30, y: 10, width: 96, height: 74))
    // Nothing is painted beside the stripes.
    let left = image.part(rows: 0..<74, columns: 0..<24)
    #expect(Set(left) == [0])
    #expect(image.report.verdict == .good)
    #expect(image.report.agreement > 0.99)
    #expect(image.report.straightness == 1)
    #expect([image.report.pairs, image.report.unusablePairs] == [8, 0])
  }

  @Test("the other direction gives the same picture without turning it")
  func otherDirection() throws {
    let there = try swipe([4, 6, 6, 7, 5].map { (0, $0) })
    var places = [(x: 30, y: 38)]
    for step in [5, 7, 6, 6, 4] { places.append((30, places[places.count - 1].y - step)) }
    let back = try StripeSeries(
      width: 96, height: 24, count: 6, pixels: picture.stripes(width: 96, height: 24, at: places))
    let image = try assembled(back)
    #expect(image.layout == [])
    #expect(image.pixels == (try assembled(there)).pixels)
  }

  @Test("a finger that drifts sideways is followed, and what leaves the image is cut off")
  func drift() throws {
    let image = try assembled(swipe([(2, 6), (-3, 7), (4, 6), (5, 8), (5, 8)]))
    #expect(image.height == 59)
    // The last stripe lies 13 columns to the right.
    let last = image.part(rows: 35..<59, columns: 37..<133)
    #expect(last == picture.part(x: 43, y: 45, width: 96, height: 24))
    #expect(abs(image.report.straightness - (1 - 13.0 / 35)) < 0.001)
    let far = try swipe(Array(repeating: (5, 20), count: 5)).assembled(
      imageWidth: 96, heights: 0...1000)
    #expect([far.width, far.height] == [96, 124])
  }

  @Test("each row says which columns were painted, and they all were")
  func extents() throws {
    let image = try assembled(swipe([(2, 6), (-3, 7), (4, 6), (5, 8), (5, 8)]))
    #expect(image.extents.count == 59)
    // The first stripe lies in the middle, the second 2 to the right, the last 13.
    #expect(image.extents[0] == 24..<120)
    #expect(image.extents[6] == 24..<122)
    #expect(image.extents[13] == 23..<122)
    #expect(image.extents[58] == 37..<133)
    // The picture has no pixel 0, so a 0 was not painted.
    for row in 0..<59 {
      let line = image.pixels[row * 144..<(row + 1) * 144]
      let painted = line.indices.filter { line[$0] > 0 }.map { $0 - row * 144 }
      #expect(painted == Array(image.extents[row]), "row \(row)")
    }
    let far = try swipe(Array(repeating: (5, 20), count: 5)).assembled(
      imageWidth: 96, heights: 0...1000)
    #expect(far.extents[0] == 0..<96)
    #expect(far.extents[123] == 25..<96)
  }

  @Test("stripes that leave a gap between them never make it out to be painted")
  func gap() throws {
    // Two columns wide, a step of eight to the side.
    let series = try StripeSeries(
      width: 2, height: 4, count: 2,
      pixels: [9, 9, 50, 50, 90, 90, 9, 9] + [90, 90, 9, 9, 7, 7, 7, 7])
    let image = try series.assembled(imageWidth: 40, heights: 0...100)
    for (row, extent) in image.extents.enumerated() {
      #expect(extent.allSatisfy { image.pixels[row * 40 + $0] > 0 }, "row \(row)")
    }
  }

  @Test("the verdict says what was wrong with a swipe")
  func verdicts() throws {
    let good = try assembled(swipe(Array(repeating: (0, 6), count: 10)), least: 80)
    #expect(good.report.verdict == .good)
    let short = try assembled(swipe([(0, 6), (0, 6)]), least: 80)
    #expect(short.report.verdict == .tooShort)
    let fast = try assembled(swipe(Array(repeating: (0, 40), count: 7)), least: 80)
    #expect(fast.report.verdict == .tooFast)
    let slow = try assembled(
      swipe(Array(repeating: (0, 0), count: 20) + [(0, 6), (0, 6)]), least: 20)
    #expect(slow.report.verdict == .tooSlow)
    #expect(slow.report.standingPairs == 20)
    let skewed = try assembled(swipe(Array(repeating: (4, 6), count: 8)))
    #expect(skewed.report.verdict == .tooSkewed)
  }

  @Test("the quality falls with jerks, with slant, and with gaps")
  func quality() throws {
    func quality(_ steps: [(x: Int, y: Int)]) throws -> Double {
      try assembled(swipe(steps)).report.quality
    }
    let even = try quality(Array(repeating: (0, 8), count: 10))
    let jerky = try quality((0..<10).map { (0, $0.isMultiple(of: 2) ? 3 : 13) })
    let slanted = try quality(Array(repeating: (2, 8), count: 10))
    let torn = try quality((0..<10).map { (0, $0.isMultiple(of: 3) ? 36 : 8) })
    #expect(even > 0.97)
    #expect(jerky < 0.6)
    #expect(0.6..<0.8 ~= slanted)
    #expect(torn < 0.7)
  }

  @Test("a finger that stands stretches the exact image, and not the robust one")
  func standing() throws {
    let steps = [6, 6, 0, 0, 1, 0, 0, 6, 6].map { (x: 0, y: $0) }
    let series = try swipe(steps)
    #expect(try assembled(series).height > 24 + 25)
    let robust = try assembled(series, placement: .robust)
    #expect(robust.height == 24 + 25)
    #expect(robust.report.verdict == .good)
    #expect([robust.report.pairs, robust.report.standingPairs] == [4, 5])
    let middle = robust.part(rows: 0..<49, columns: 24..<120)
    #expect(middle == picture.part(x: 30, y: 10, width: 96, height: 49))
  }

  @Test("a slow swipe is too slow for the exact image, and whole in the robust one")
  func slow() throws {
    let series = try swipe(Array(repeating: (0, 1), count: 60))
    #expect(try assembled(series).report.verdict == .tooSlow)
    let robust = try assembled(series, least: 80, placement: .robust)
    #expect(robust.height == 84 && robust.report.verdict == .good)
    let middle = robust.part(rows: 0..<84, columns: 24..<120)
    #expect(middle == picture.part(x: 30, y: 10, width: 96, height: 84))
    let still = try assembled(
      swipe(Array(repeating: (0, 0), count: 60)), least: 80, placement: .robust)
    #expect(still.height == 24 && still.report.verdict == .tooSlow)
  }

  @Test("a stripe that fits nowhere does not tear the robust image apart")
  func noise() throws {
    var places = [(x: 30, y: 10)]
    for _ in 0..<9 { places.append((30, places[places.count - 1].y + 6)) }
    var pixels = picture.stripes(width: 96, height: 24, at: places)
    var state: UInt32 = 7
    for index in 4 * 96 * 24..<5 * 96 * 24 {
      state = state &* 1_664_525 &+ 1_013_904_223
      pixels[index] = UInt8(state >> 24)
    }
    let series = try StripeSeries(width: 96, height: 24, count: 10, pixels: pixels)
    let robust = try assembled(series, placement: .robust)
    #expect(robust.report.unusablePairs == 2 && robust.report.verdict == .good)
    #expect(robust.height == 24 + 54)
  }
}

extension SwipeImage {
  /// The pixels of some rows and columns, row by row.
  fileprivate func part(rows: Range<Int>, columns: Range<Int>) -> [UInt8] {
    rows.flatMap { row -> ArraySlice<UInt8> in
      let start = row * width
      return pixels[start + columns.lowerBound..<start + columns.upperBound]
    }
  }
}

@Suite("Lines of a swipe")
struct LineAssemblyTests {
  private let picture = RidgePicture(width: 64, height: 400)

  /// Lines of the first row at these places of the picture; the second row sees what lies 10 rows
  /// ahead.
  private func assembled(
    at places: [Int], least: Int = 0, most: Int = 1000, searchRange: Int = 30
  ) throws -> SwipeImage {
    let lines = places.flatMap { picture.part(x: 0, y: $0, width: 64, height: 1) }
    let ahead = places.map { picture.part(x: 0, y: $0 + 10, width: 64, height: 1) }
    let later = places.map { picture.part(x: 0, y: $0, width: 64, height: 1) }
    let series = try LineSeries(width: 64, count: places.count, pixels: lines)
    let geometry = try LineGeometry(
      resolution: 10, medianSize: 5, searchRange: searchRange, heights: least...most)
    return series.assembled(geometry) { first, second in
      zip(ahead[first], later[second]).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    }
  }

  @Test("a steady swipe of one row per line comes out as it is")
  func steady() throws {
    let image = try assembled(at: Array(20..<220))
    #expect(image.layout == .flippedVertically)
    #expect(image.height >= 180)
    // Until the second row runs out of lines to compare with.
    #expect(image.pixels.prefix(64 * 180) == picture.part(x: 0, y: 20, width: 64, height: 180)[...])
    #expect(image.report.verdict == .good)
    #expect(image.report.agreement > 0.9)
  }

  @Test("a swipe at half the speed is shrunk to the same image")
  func slower() throws {
    // Every row is seen twice: 20 lines lie between the two rows of the sensor.
    let image = try assembled(at: (40..<440).map { $0 / 2 })
    #expect(image.pixels.prefix(64 * 170) == picture.part(x: 0, y: 20, width: 64, height: 170)[...])
  }

  @Test("the verdict says what was wrong with a swipe")
  func verdicts() throws {
    #expect(try assembled(at: Array(20..<60), least: 300).report.verdict == .tooShort)
    let fast = try assembled(at: (0..<30).map { 20 + 10 * $0 })
    #expect(fast.report.verdict == .tooFast)
    let slow = try assembled(at: (160..<760).map { $0 / 8 }, searchRange: 30)
    #expect(slow.report.quality < (try assembled(at: Array(20..<220))).report.quality)
  }

  @Test("no more lines come out than the image may have")
  func cut() throws {
    #expect(try assembled(at: Array(20..<220), most: 50).height == 50)
  }
}
