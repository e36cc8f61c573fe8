import GrayImage
import Testing

@Suite("Gray pictures")
struct GrayImageTests {
  let picture = GrayImage(width: 3, height: 2, pixels: [0, 50, 100, 150, 200, 250])

  @Test("a picture survives being written and read as PGM")
  func roundTrip() throws {
    #expect(try GrayImage(decodingPGM: picture.encodedPGM()) == picture)
  }

  @Test("a pixel is found by column and row from the top left")
  func pixelPosition() {
    #expect(picture[x: 2, y: 0] == 100)
    #expect(picture[x: 0, y: 1] == 150)
  }

  @Test("a cropped picture holds the pixels of its part")
  func crop() {
    let part = picture.cropped(x: 1, y: 0, width: 2, height: 2)
    #expect(part == GrayImage(width: 2, height: 2, pixels: [50, 100, 200, 250]))
  }
}

@Suite("PGM decoding")
struct PGMDecodingTests {
  private func decode(_ header: String, _ pixels: [UInt8] = []) throws(PGMError) -> GrayImage {
    try GrayImage(decodingPGM: Array(header.utf8) + pixels)
  }

  @Test("a picture of one pixel is read")
  func onePixel() throws {
    #expect(try decode("P5 1 1 255\n", [7]) == GrayImage(width: 1, height: 1, pixels: [7]))
  }

  @Test(
    "comments and any white space may stand between the numbers of the header",
    arguments: [
      "P5\n# made by hand\n2 1\n255\n", "P5\t2\r\n1\u{0B}255 ", "P5#a\n2#b\r1 # 3 4\n#\n255\n",
    ])
  func comments(header: String) throws {
    let picture = try decode(header, [10, 20])
    #expect(picture == GrayImage(width: 2, height: 1, pixels: [10, 20]))
  }

  @Test("a first pixel that looks like white space or a comment is a pixel")
  func pixelLikeSpace() throws {
    let picture = try decode("P5 2 1 255\n", [UInt8(ascii: "\n"), UInt8(ascii: "#")])
    #expect(picture.pixels == [10, 35])
  }

  @Test("a white below 255 is stretched to the whole range")
  func smallMaximum() throws {
    #expect(try decode("P5 3 1 15\n", [0, 5, 15]).pixels == [0, 85, 255])
  }

  @Test("white space after the last pixel is allowed")
  func trailingSpace() throws {
    #expect(try decode("P5 1 1 255\n", [3, 10, 10]).pixels == [3])
  }

  @Test(
    "a header that is no header is refused with what is wrong",
    arguments: [
      ("", PGMError.notBinaryPGM), ("P", .notBinaryPGM), ("P2 1 1 255\n0", .notBinaryPGM),
      ("P5", .missingNumber(.width)), ("P51 1 255\n", .missingNumber(.width)),
      ("P5 -1 1 255\n", .missingNumber(.width)), ("P5 2", .missingNumber(.height)),
      ("P5 2 2 # 255", .missingNumber(.maximum)),
      ("P5 99999999999999999999 1 255\n", .numberTooLarge(.width)),
      ("P5 1 1 1000000000", .numberTooLarge(.maximum)),
    ])
  func brokenHeader(header: String, error: PGMError) {
    #expect(throws: error) { try decode(header) }
  }

  @Test(
    "an absurd size is refused for its size, not for the pixels that are missing",
    arguments: [(20000, 20000), (0, 4), (4, 0), (4097, 1), (1, 4097), (999_999_999, 999_999_999)])
  func absurdSize(width: Int, height: Int) {
    #expect(throws: PGMError.unsupportedSize(width: width, height: height)) {
      try decode("P5 \(width) \(height) 255\n", [0])
    }
  }

  @Test("the largest size is refused only for its missing pixels")
  func largestSize() {
    #expect(throws: PGMError.truncated(expected: 4096 * 4096, found: 1)) {
      try decode("P5 4096 4096 255\n", [0])
    }
  }

  @Test("a white outside 1...255 is refused", arguments: [0, 256, 65535])
  func unsupportedMaximum(maximum: Int) {
    #expect(throws: PGMError.unsupportedMaximum(maximum)) {
      try decode("P5 1 1 \(maximum)\n", [0, 0])
    }
  }

  @Test("a size that lies is refused in both directions")
  func lyingSize() {
    #expect(throws: PGMError.truncated(expected: 6, found: 5)) {
      try decode("P5 3 2 255\n", [1, 2, 3, 4, 5])
    }
    #expect(throws: PGMError.trailingBytes(count: 2)) {
      try decode("P5 1 1 255\n", [1, 10, 3])
    }
  }

  @Test("a pixel brighter than white is refused")
  func pixelAboveMaximum() {
    #expect(throws: PGMError.pixelAboveMaximum(value: 16, maximum: 15)) {
      try decode("P5 1 1 15\n", [16])
    }
  }

  @Test("a picture cut short anywhere is an error")
  func everyTruncation() {
    let file = GrayImage(width: 2, height: 2, pixels: [9, 9, 9, 9]).encodedPGM()
    for length in 0..<file.count {
      #expect(throws: PGMError.self, "\(length) bytes") {
        try GrayImage(decodingPGM: Array(file.prefix(length)))
      }
    }
  }

  @Test("a header with any one byte changed gives a picture or an error")
  func everyByteChanged() {
    let file = GrayImage(width: 12, height: 1, pixels: Array(repeating: 9, count: 12)).encodedPGM()
    for position in file.indices {
      for value in UInt8.min...UInt8.max {
        var changed = file
        changed[position] = value
        guard let picture = try? GrayImage(decodingPGM: changed) else { continue }
        #expect(picture.pixels.count == picture.width * picture.height)
      }
    }
  }

  @Test("the description of an error names the reason")
  func descriptions() {
    let error = PGMError.unsupportedSize(width: 20000, height: 20000)
    #expect(error.description.contains("20000x20000"))
    #expect(error.description.contains("4096"))
  }
}
