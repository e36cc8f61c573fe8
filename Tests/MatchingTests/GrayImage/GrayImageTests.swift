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
