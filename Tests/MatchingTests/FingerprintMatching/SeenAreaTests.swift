import GrayImage
import SyntheticPrints
import Testing

@testable import FingerprintMatching

@Suite("Where the picture ends no ridge ends")
struct SeenAreaTests {
  /// What lies beyond a window.
  enum Surround: CaseIterable {
    case white, gray, black, grain

    func level(_ noise: inout RandomNumbers) -> UInt8 {
      switch self {
      case .white: 255
      case .gray: 128
      case .black: 0
      case .grain: UInt8(60 + noise.byte() / 22)
      }
    }
  }

  /// Windows, each as the visible columns of a row.
  enum Window: CaseIterable {
    case upright, level, slanted, trapezoid, round

    func columns(of row: Int, width: Int, height: Int) -> Range<Int> {
      switch self {
      case .upright: return width / 4..<width * 3 / 4
      case .level: return row > height / 4 && row < height * 3 / 4 ? 0..<width : 0..<0
      case .slanted:
        let left = min(max(width * 2 / 3 - row / 2, 0), width)
        return left..<width
      case .trapezoid:
        let margin = (height - row) * width / (6 * height)
        return margin..<width - margin
      case .round:
        let radius = min(width, height) * 2 / 5
        let away = row - height / 2
        let square = radius * radius - away * away
        guard square > 0 else { return 0..<0 }
        let half = Int(Double(square).squareRoot())
        return width / 2 - half..<width / 2 + half
      }
    }
  }

  private func framed(
    _ picture: GrayImage, by window: Window, _ surround: Surround, stated: Bool
  ) throws -> FingerprintImage {
    var noise = RandomNumbers(seed: 3)
    var pixels = picture.pixels
    let extents = (0..<picture.height).map {
      window.columns(of: $0, width: picture.width, height: picture.height)
    }
    for (row, columns) in extents.enumerated() {
      for column in 0..<picture.width where !columns.contains(column) {
        pixels[row * picture.width + column] = surround.level(&noise)
      }
    }
    return try FingerprintImage(
      width: picture.width, height: picture.height, pixelsPerInch: 500, pixels: pixels,
      extents: stated ? extents : nil)
  }

  /// Minutiae of the first that are near none of the second.
  private func ghosts(of framed: PrintFeatures, beside whole: PrintFeatures) -> Int {
    framed.minutiae.count { minutia in
      !whole.minutiae.contains {
        let (dx, dy) = ($0.x - minutia.x, $0.y - minutia.y)
        return dx * dx + dy * dy < 36
      }
    }
  }

  @Test(
    "E2: a window laid over a print adds no minutiae", arguments: Window.allCases,
    Surround.allCases)
  func subset(window: Window, surround: Surround) throws {
    var (found, kept) = (0, 0)
    for seed in 1...6 {
      let picture = SyntheticFinger(seed: UInt64(seed)).impression(
        seed: UInt64(seed), conditions: .careful)
      let whole = FeatureExtractor().features(of: try fingerprint(picture))
      for stated in [false, true] {
        let image = try framed(picture, by: window, surround, stated: stated)
        let features = FeatureExtractor().features(of: image)
        found += ghosts(of: features, beside: whole)
        kept += features.minutiae.count
      }
    }
    #expect(kept > 60)
    // Near an edge a filter sees half, so a minutia that is weak in the whole print shows now and
    // then.
    #expect(found * 25 <= kept, "\(found) of \(kept)")
  }

  @Test("no cell beyond a window counts as ridges", arguments: Window.allCases)
  func cells(window: Window) throws {
    let picture = SyntheticFinger(seed: 5).impression(seed: 5, conditions: .careful)
    let image = try framed(picture, by: window, .black, stated: false)
    let map = ExtractionStages(image).map
    for cell in 0..<map.grid.count where map.isRidges[cell] {
      let row = min(cell / map.grid.columns * 8 + 4, picture.height - 1)
      let columns = window.columns(of: row, width: picture.width, height: picture.height)
      let x = cell % map.grid.columns * 8
      #expect(x + 8 > columns.lowerBound && x < columns.upperBound, "cell at \(x), \(row)")
    }
  }

  @Test("E2: what a driver says is not shown is not looked at, whatever it holds")
  func statedExtents() throws {
    let owner = SyntheticFinger(seed: 8).impression(seed: 1, conditions: .careful)
    let stranger = SyntheticFinger(seed: 9).impression(seed: 1, conditions: .careful)
    var pixels = owner.pixels
    let half = owner.width / 2
    for y in 0..<owner.height {
      for x in half..<owner.width {
        pixels[y * owner.width + x] = stranger.pixels[y * owner.width + x]
      }
    }
    let image = try FingerprintImage(
      width: owner.width, height: owner.height, pixelsPerInch: 500, pixels: pixels,
      extents: Array(repeating: 0..<half, count: owner.height))
    let features = FeatureExtractor().features(of: image)
    #expect(!features.minutiae.isEmpty)
    #expect(features.minutiae.allSatisfy { $0.x < Float(half) })
  }

  @Test(
    "extents keep their place when an image is brought to 500 pixels per inch",
    arguments: [250, 569, 1000])
  func resampledExtents(pixelsPerInch: Int) throws {
    let (width, height) = (400, 300)
    let image = try FingerprintImage(
      width: width, height: height, pixelsPerInch: pixelsPerInch,
      pixels: (0..<width * height).map { UInt8($0 * 37 % 251) },
      extents: Array(repeating: 100..<300, count: height))
    let working = WorkingImage(image)
    let seen = SeenArea(working, grid: CellGrid(width: working.width, height: working.height))
    let columns = (0..<working.width).filter { seen.contains($0, working.height / 2) }
    let scale = 500 / Double(pixelsPerInch)
    let (first, last) = (try #require(columns.first), try #require(columns.last))
    #expect(abs(Double(first) - 100 * scale) <= 2 + 2 * scale)
    #expect(abs(Double(last) - 300 * scale) <= 2 + 2 * scale)
  }

  @Test("an image that says nothing of itself is seen whole where all of it shows ridges")
  func whole() throws {
    let striped = try image(width: 160, height: 160) { x, y in (x + y) % 9 < 5 ? 30 : 220 }
    let working = WorkingImage(striped)
    #expect(SeenArea(working, grid: CellGrid(width: 160, height: 160)).isWhole)
  }
}

@Suite("Fingerprint images")
struct FingerprintImageTests {
  @Test("an image with an impossible side is refused", arguments: [0, -1, 4097, Int.max])
  func impossibleSide(side: Int) {
    #expect(throws: FingerprintImageError.unsupportedSize(width: side, height: 8)) {
      try FingerprintImage(width: side, height: 8, pixelsPerInch: 500, pixels: [])
    }
    #expect(throws: FingerprintImageError.unsupportedSize(width: 8, height: side)) {
      try FingerprintImage(width: 8, height: side, pixelsPerInch: 500, pixels: [])
    }
  }

  @Test("an absurd resolution is refused", arguments: [0, 99, 2001, Int.min])
  func absurdResolution(pixelsPerInch: Int) {
    #expect(throws: FingerprintImageError.unsupportedResolution(pixelsPerInch: pixelsPerInch)) {
      try FingerprintImage(width: 1, height: 1, pixelsPerInch: pixelsPerInch, pixels: [0])
    }
  }

  @Test("an image whose size lies is refused", arguments: [0, 15, 17])
  func sizeLies(count: Int) {
    #expect(throws: FingerprintImageError.wrongPixelCount(expected: 16, found: count)) {
      try FingerprintImage(
        width: 4, height: 4, pixelsPerInch: 500, pixels: [UInt8](repeating: 0, count: count))
    }
  }

  @Test("extents that do not fit the image are refused")
  func extentsLie() {
    let pixels = [UInt8](repeating: 0, count: 16)
    #expect(throws: FingerprintImageError.wrongExtentCount(expected: 4, found: 3)) {
      try FingerprintImage(
        width: 4, height: 4, pixelsPerInch: 500, pixels: pixels,
        extents: Array(repeating: 0..<4, count: 3))
    }
    for outside in [-1..<2, 2..<5] {
      #expect(throws: FingerprintImageError.extentOutside(row: 2)) {
        try FingerprintImage(
          width: 4, height: 4, pixelsPerInch: 500, pixels: pixels,
          extents: [0..<4, 1..<1, outside, 0..<4])
      }
    }
  }

  @Test("an image is brought to 500 pixels per inch", arguments: [250, 500, 569, 1000])
  func resampling(pixelsPerInch: Int) throws {
    let image = try FingerprintImage(
      width: 100, height: 80, pixelsPerInch: pixelsPerInch,
      pixels: [UInt8](repeating: 90, count: 8000))
    let plane = WorkingImage(image).plane
    #expect(abs(plane.width - 100 * 500 / pixelsPerInch) <= 1)
    #expect(abs(plane.height - 80 * 500 / pixelsPerInch) <= 1)
    #expect(plane.samples.allSatisfy { abs($0 - 90) < 0.01 })
  }
}
