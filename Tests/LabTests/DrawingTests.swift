import Testing

@testable import authcore_bench

@Suite("Drawing")
struct DrawingTests {
  /// Width and height in a PNG's header (PNG specification, section 11.2.1).
  private func size(ofPNG bytes: [UInt8]) -> [Int] {
    guard bytes.count > 24 else { return [] }
    return [16, 20].map { start in
      bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    }
  }

  @Test("a PNG has the drawing's sides times the scale, rounded up", arguments: [1.0, 1.5, 2.0])
  func sides(scale: Double) throws {
    let png = try Drawing(width: 31, height: 20) { _ in }.png(scale: scale)
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(size(ofPNG: png) == [Int((31 * scale).rounded(.up)), Int((20 * scale).rounded(.up))])
  }

  @Test("what is drawn changes the picture, the same drawing does not")
  func contents() throws {
    func picture(_ color: Color) throws -> [UInt8] {
      try Drawing(width: 16, height: 16) { canvas in
        canvas.fill(circleAt: Point(8, 8), radius: 5, color)
      }.png()
    }
    #expect(try picture(.blue) == picture(.blue))
    #expect(try picture(.blue) != picture(.orange))
  }

  @Test("text shows in the picture: a font is there")
  func text() throws {
    func picture(_ text: String) throws -> [UInt8] {
      try Drawing(width: 60, height: 20) { canvas in
        canvas.write(text, at: Point(4, 14), TextStyle(size: 12))
      }.png()
    }
    #expect(try picture("FMR") != picture(""))
    #expect(try picture("FMR") != picture("FNM"))
  }

  @Test("an SVG is whole and holds lines as lines, not as pixels")
  func vectors() throws {
    let svg = try Drawing(width: 40, height: 30) { canvas in
      canvas.stroke([Point(1, 2), Point(30, 20)], Canvas.Line(.black))
    }.svg()
    let text = String(decoding: svg, as: UTF8.self)
    #expect(text.contains("<svg") && text.hasSuffix("</svg>\n"))
    #expect(text.contains("<path") && !text.contains("<image"))
  }

  @Test("a raster keeps each pixel's color")
  func raster() {
    let raster = Raster(width: 2, height: 1) { x, _ in x == 0 ? .black : Color(0x123456) }
    #expect(raster.pixels == [0, 0x123456])
  }

  @Test("what cairo refuses becomes an error")
  func refused() {
    #expect(throws: DrawingError.self) {
      _ = try Drawing(width: 10, height: 10) { canvas in
        canvas.stroke([Point(0, 0), Point(5, 5)], Canvas.Line(.black, dashes: [-1]))
      }.png()
    }
  }

  @Test("a color scale runs from its first to its last color and stops there")
  func scale() {
    let scale = ColorScale([.black, .white])
    #expect(scale.color(-1) == .black)
    #expect(scale.color(0.5) == .gray(0.5))
    #expect(scale.color(7) == .white)
  }
}
